import { describe, expect, test, vi } from 'vitest'
import { runsBy } from './elsewhere-files.ts'
import { askedAbout, asksFor, elsewhereText, elsewhereTexts, worstFirst } from './elsewhere-words.ts'
import { isPackage, packageRuns } from './package-runs.ts'

describe("the program that runs a file is known by the file's name", () => {
  test.each([
    ['ci', ['.github/workflows/ci.yml', '.github/actions/setup/action.yml', 'action.yaml', 'tools/act/action.yml']],
    ['ci', ['.gitlab-ci.yml', '.gitlab/ci/test.yml', '.circleci/config.yml', '.buildkite/pipeline.yml']],
    ['ci', ['Jenkinsfile', 'ci/Jenkinsfile.release', 'azure-pipelines.yml', '.travis.yml', 'bitbucket-pipelines.yml']],
    ['ci', ['.forgejo/workflows/a.yaml', '.woodpecker.yml', 'cloudbuild.yaml', 'netlify.toml', 'vercel.json']],
    [
      'ci',
      ['.forgejo/actions/a/action.yml', '.woodpecker/build.yaml', '.builds/arch.yml', '.gitlab/agents/a/config.yaml'],
    ],
    [
      'ci',
      ['ci/azure-pipelines/build.yml', '.azuredevops/a.yml', '.vela.yml', '.zuul.d/jobs.yaml', '.taskcluster.yml'],
    ],
    ['ci', ['deploy/buildspec-prod.yml', '.readthedocs.yaml', 'amplify.yml', 'wrangler.toml', 'fly.staging.toml']],
    ['ci', ['.GitHub/Workflows/ci.yml', '.gith\u200cub/workflows/ci.yml', '.github. /workflows/ci.yml']],
    ['rules', ['.github/labeler.yml', '.github/auto-merge.yml', '.mergify/config.yml', '.kodiak.toml']],
    ['rules', ['CODEOWNERS', '.github/CODEOWNERS', 'docs/CODEOWNERS', '.github/dependabot.yml', 'renovate.json']],
    ['hook', ['.huskyrc.json', '.config/lefthook-local.yml', '.pre-commit-config.yml', '.beads/config.yaml', 'hk.pkl']],
    ['editor', ['.vscode/c_cpp_properties.json', '.run/all.run.xml', '.zed/tasks.json', '.config/mise/config.toml']],
    ['editor', ['.cursor/environment.json', '.kiro/hooks/a.json', '.github/hooks/a.json', 'mise.prod.toml', '.vimrc']],
    ['install', ['pnpm-workspace.yaml', '.yarn/plugins/a.cjs']],
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

  test('and other files are run by nobody', () => {
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

test('a link or a submodule may replace a folder, with its contents', () => {
  const folders = ['.github', '.github/workflows', '.circleci', '.husky', '.vscode', 'web/.idea', '.cargo']
  expect(folders.map((path) => runsBy(path, true))).toEqual(['ci', 'ci', 'ci', 'hook', 'editor', 'editor', 'install'])
  expect(folders.map((path) => runsBy(path))).toEqual(folders.map(() => null))
})

test('a path that no system can have costs nothing', () => {
  expect(runsBy(`.github/workflows/${'a'.repeat(5_000)}.yml`)).toBeNull()
})

describe("a package's install scripts are found", () => {
  const file = (more: object, scripts: object = {}) => JSON.stringify({ name: 'a', scripts, ...more })
  const before = file({}, { test: 'vitest', postinstall: 'node a.js' })

  test('by their name', () => {
    const paths = ['web/package.json', 'composer.json', 'package.json.md', 'my-package.json']
    expect(paths.map(isPackage)).toEqual([true, true, false, false])
  })

  test.each([
    ['another script', file({}, { test: 'vitest', postinstall: 'node b.js' })],
    ['one that is gone', file({}, { test: 'vitest' })],
    ['one more', file({}, { postinstall: 'node a.js', prepare: 'b' })],
    ['a name with escapes', before.replace('"test"', '"pre\\u0069nstall"')],
    ['a value in the next line', before.replace('"test":', '"prepublish":\n')],
    ['what may run scripts', file({ trustedDependencies: ['a'] }, { postinstall: 'node a.js' })],
    ['what is no JSON', `${before},`],
    ['too much of it', file({ list: Array.from({ length: 20_000 }, () => 0) }, { postinstall: 'node a.js' })],
  ])('%s', (_, after) => expect(packageRuns(before, after)).toBe('install'))

  test('also hooks of git, and scripts of Composer', () => {
    expect(packageRuns(before, file({ husky: { hooks: {} } }, { postinstall: 'node a.js' }))).toBe('hook')
    expect(packageRuns(file({}), file({}, { 'post-autoload-dump': 'a' }))).toBe('install')
  })

  test('a new file counts with its contents, a deleted one with its former ones', () => {
    expect([packageRuns(null, before), packageRuns(before, null)]).toEqual(['install', 'install'])
    expect([packageRuns(null, file({}, { test: 'a' })), packageRuns(file({}), null)]).toEqual([null, null])
  })

  test('and its other parts run where its code runs', () => {
    const other = file({ version: '2', dependencies: { b: '1' } }, { postinstall: 'node a.js', test: 'jest' })
    expect([packageRuns(before, other), packageRuns(before, before)]).toEqual([null, null])
  })
})

const workflow = { path: '.github/workflows/ci.yml', by: 'ci', gone: false } as const
const hook = { path: '.husky/pre-commit', by: 'hook', gone: true } as const

test("a change is reported with its file's name and the program that runs it", () => {
  expect(elsewhereText(workflow)).toBe('.github/workflows/ci.yml (CI runs it)')
  expect(elsewhereText(hook)).toBe('.husky/pre-commit (a git hook; deleted)')
  expect(elsewhereText({ ...hook, path: 'a\nb' })).not.toContain('\n')
})

test('a person is asked about CI, about all, or about nothing', () => {
  expect(askedAbout([workflow, hook], 'ci')).toEqual([workflow])
  expect(askedAbout([workflow, hook], 'all')).toEqual([workflow, hook])
  expect(askedAbout([workflow, hook], 'tell')).toEqual([])
})

test('a bead asks for a change by its file, or by its kind', () => {
  for (const task of [
    'Run the tests in CI on Node 24',
    'Fix ci.yml',
    'Cache modules in the workflow',
    'Use GitHub Actions',
  ])
    expect([task, asksFor(task)(workflow)]).toEqual([task, true])
  for (const task of ['Speed up the parser', 'Make it decisive', 'Precise rounding', ''])
    expect([task, asksFor(task)(workflow)]).toEqual([task, false])
  expect(asksFor('Drop husky')(hook)).toBe(true)
})

test("a file's name asks for it by itself, and as no part of another", () => {
  const named = (path: string, task: string, made = false) => asksFor(task)({ path, by: 'ci', made, gone: false })
  expect(named('.github/workflows/app.yml', 'Fix app.yml')).toBe(true)
  expect(named('.github/workflows/app.yml', 'Fix myapp.yml and app.yml2')).toBe(false)
  expect(named('.buildkite/run', 'Let it run')).toBe(false)
})

test('the author of a file chooses its name, so the name asks for nothing unless it is that of such a file', () => {
  const named = (path: string, task: string) => asksFor(task)({ path, by: 'ci', made: true, gone: false })
  expect(named('.circleci/config.yml', 'Read the limits of config.yml')).toBe(false)
  expect(named('.circleci/config.yml', 'Add .circleci/config.yml')).toBe(true)
  expect(named('.gitlab-ci.yml', 'Add a .gitlab-ci.yml')).toBe(true)
})

test('CI comes first in a list that may be cut', () => {
  const many = Array.from({ length: 60 }, (_, at) => ({ ...hook, path: `.husky/${at}` }))
  expect(worstFirst([...many, workflow])[0]).toBe(workflow)
})

test('fifty are named, and then how many more there are', () => {
  const many = Array.from({ length: 60 }, (_, at) => ({ ...hook, path: `.husky/${at}` }))
  expect(elsewhereTexts(many.slice(0, 50))).toEqual(many.slice(0, 50).map(elsewhereText))
  expect(elsewhereTexts(many)).toHaveLength(51)
  expect(elsewhereTexts(many).at(-1)).toBe('and 10 more')
})

test("a task's words are read once for all files", () => {
  const task = 'Speed it up '.repeat(100)
  const lowered: number[] = []
  const spy = vi.spyOn(String.prototype, 'toLowerCase').mockImplementation(function (this: string) {
    lowered.push(this.length)
    return this.toLocaleLowerCase('en')
  })
  const asks = asksFor(task)
  for (let at = 0; at < 100; at++) asks({ ...hook, path: `.husky/${at}` })
  spy.mockRestore()
  expect(lowered.filter((length) => length >= task.length)).toHaveLength(1)
})
