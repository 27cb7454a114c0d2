import { describe, expect, test } from 'vitest'
import { changesInstall, mayInstall, runsBy } from './elsewhere-files.ts'
import { askedAbout, elsewhereText, isAskedFor } from './elsewhere-words.ts'

describe('what runs a file is known by its name', () => {
  test.each([
    ['ci', ['.github/workflows/ci.yml', '.github/actions/setup/action.yml', 'action.yaml', 'tools/act/action.yml']],
    ['ci', ['.gitlab-ci.yml', '.gitlab/ci/test.yml', '.circleci/config.yml', '.buildkite/pipeline.yml']],
    ['ci', ['Jenkinsfile', 'ci/Jenkinsfile.release', 'azure-pipelines.yml', '.travis.yml', 'bitbucket-pipelines.yml']],
    ['ci', ['.forgejo/workflows/a.yaml', '.woodpecker.yml', 'cloudbuild.yaml', 'netlify.toml', 'vercel.json']],
    ['rules', ['CODEOWNERS', '.github/CODEOWNERS', 'docs/CODEOWNERS', '.github/dependabot.yml', 'renovate.json']],
    [
      'hook',
      ['.husky/pre-commit', 'lefthook.yml', '.pre-commit-config.yaml', '.githooks/pre-push', '.beads/hooks/on_update'],
    ],
    [
      'editor',
      ['.devcontainer/devcontainer.json', '.devcontainer.json', '.vscode/tasks.json', 'api/.envrc', '.mcp.json'],
    ],
    ['editor', ['.claude/settings.json', 'mise.toml', 'shop.code-workspace']],
    [
      'install',
      ['.npmrc', 'web/.yarnrc.yml', '.pnpmfile.cjs', '.cargo/config.toml', 'gradle/wrapper/gradle-wrapper.jar'],
    ],
    [
      'image',
      [
        'Dockerfile',
        'api/Dockerfile.dev',
        'shop.dockerfile',
        'Containerfile',
        'docker-compose.yml',
        'compose.prod.yaml',
      ],
    ],
    ['source', ['.gitmodules', '.lfsconfig']],
  ] as const)('%s: %j', (by, paths) => {
    expect(paths.map((path) => runsBy(path))).toEqual(paths.map(() => by))
  })

  test("and other files are nobody's", () => {
    const paths = [
      'src/ci.ts',
      'docs/workflows/a.md',
      'src/hooks/use-bead.ts',
      'action.ts',
      'src/compose.ts',
      'package.json',
    ]
    expect(paths.map((path) => runsBy(path))).toEqual(paths.map(() => null))
  })
})

test('a package runs something on installation where a line of that script is new, other or gone', () => {
  expect([mayInstall('web/package.json'), mayInstall('package.json.md')]).toEqual([true, false])
  for (const line of ['+    "postinstall": "node a.js",', '-  "prepare" : "husky"', '+{"scripts":{"preinstall":"x"}}'])
    expect([line, changesInstall(`--- a/package.json\n+++ b/package.json\n@@ -1 +1 @@\n${line}\n`)]).toEqual([
      line,
      true,
    ])
  for (const line of [
    '+    "test": "vitest",',
    '     "postinstall": "node a.js",',
    '+    "install": false',
    '+ "dependencies": {',
  ])
    expect([line, changesInstall(`@@ -1 +1 @@\n${line}\n`)]).toEqual([line, false])
})

const workflow = { path: '.github/workflows/ci.yml', by: 'ci', gone: false } as const
const hook = { path: '.husky/pre-commit', by: 'hook', gone: true } as const

test('a change is told by its name and what runs it', () => {
  expect(elsewhereText(workflow)).toBe('.github/workflows/ci.yml (CI runs it)')
  expect(elsewhereText(hook)).toBe('.husky/pre-commit (a git hook; deleted)')
  expect(elsewhereText({ ...hook, path: 'a\nb' })).not.toContain('\n')
})

test('a person is asked about CI, about all, or about nothing', () => {
  expect(askedAbout([workflow, hook], 'ci')).toEqual([workflow])
  expect(askedAbout([workflow, hook], 'all')).toEqual([workflow, hook])
  expect(askedAbout([workflow, hook], 'tell')).toEqual([])
})

test('a bead asks for a change by its file, or by what it is', () => {
  for (const task of [
    'Run the tests in CI on Node 24',
    'Fix ci.yml',
    'Cache modules in the workflow',
    'Use GitHub Actions',
  ])
    expect([task, isAskedFor(workflow, task)]).toEqual([task, true])
  for (const task of ['Speed up the parser', 'Make it decisive', 'Precise rounding', ''])
    expect([task, isAskedFor(workflow, task)]).toEqual([task, false])
  expect(isAskedFor(hook, 'Drop husky')).toBe(true)
})
