import { expect, test } from 'vitest'
import type { EnvironmentView } from '@beadloom/core/api/projects/environment-api.ts'
import { look } from '@beadloom/core/environment/look.ts'
import { detected } from '@beadloom/core/environment/commands/detected.ts'
import { chooseToolchains } from '@beadloom/core/environment/toolchains/choose-toolchains.ts'
import { proposalFor } from '@beadloom/core/project/proposal.ts'
import { filesOf } from '@beadloom/core/testing/sample-repository.ts'
import { environmentLines } from './environment-lines.ts'

function linesFor(files: Record<string, string>, over: Partial<EnvironmentView> = {}, columns = 200): string[] {
  const found = look(filesOf(files))
  const view = {
    project: 'x',
    baseBranch: 'main',
    commit: 'c',
    configured: false,
    found,
    devcontainer: null,
    toolchains: chooseToolchains(detected(found).tools),
    proposal: proposalFor(found),
    proof: null,
  }
  return environmentLines({ ...view, ...over }, columns)
}

const files = {
  '.nvmrc': '18\n',
  'package.json': '{\n"engines": { "node": ">=20" },\n"scripts": { "test": "vitest" } }',
  'api/go.mod': 'module x\n',
  'api/x_test.go': 'package x\n',
  'compose.yaml': 'services:\n  db: { image: "postgres:16", privileged: true }\n',
}

test('each finding is named with its file and line, then problems, remedies and a proposal', () => {
  expect(linesFor(files)).toEqual([
    'Found in the files:',
    '  node 18 (.nvmrc:1)',
    '  test: npm test (package.json:3)',
    '  service db: postgres:16 (compose.yaml:2, a hint)',
    '  project in api: Go; tested there by "go test -v ./..." when a change touches it',
    'Toolchains of the image:',
    '  Node.js 18 from the npm registry, for Node.js 18 (.nvmrc:1)',
    '  Go 1.24 from Debian 13, for Go (api/go.mod)',
    'Contradictions:',
    '  .nvmrc:1 asks for node 18, package.json:2 for >=20. The first one counts: correct one of them.',
    'Refused:',
    '  services.db.privileged (compose.yaml:2): It would weaken the container or show it the machine, so no service of Beadloom gets it.',
    'Proposed for beadloom.json ("beadloom environment x --write" writes it):',
    '  setup: api/go.mod',
    '  verify: package.json:3, api/go.mod',
    '  services: compose.yaml:2',
    '{',
    '  "setup": "( cd api && go mod download && { go test -exec true ./... || true; } )",',
    '  "verify": [',
    '    {',
    '      "type": "test",',
    '      "command": "npm test"',
    '    },',
    '    {',
    '      "type": "test",',
    '      "name": "test api",',
    '      "command": "go test -v ./...",',
    '      "folder": "api",',
    '      "paths": [',
    '        "api"',
    '      ]',
    '    }',
    '  ],',
    '  "services": {',
    '    "db": {',
    '      "image": "postgres:16"',
    '    }',
    '  }',
    '}',
  ])
})

test('a project with a beadloom.json is shown only what that leaves open, and nothing to do', () => {
  const lines = linesFor(files, { configured: true })
  expect(lines).toContain('  test: npm test (package.json:3)')
  expect(linesFor({ 'x.csproj': '' }, { configured: true }).join('\n')).toContain('Missing:\n  x.csproj asks for .NET,')
  expect(lines.join('\n')).not.toMatch(/To do|Proposed/)
  expect(lines).toContain('beadloom.json could also say ("beadloom environment x --write" writes it):')
  const said = { config: {}, from: [], open: [] }
  expect(linesFor(files, { configured: true, proposal: said }).join('\n')).not.toContain('could say')
})

test('a devcontainer, projects in folders and what only a commit points to have their lines', () => {
  const all = {
    '.devcontainer.json':
      '{\n"build": { "dockerfile": "ci/Dockerfile" },\n"features": { "ghcr.io/x/y:1": {} },\n"postCreateCommand": "make" }',
    '.gitmodules': '[submodule "x"]\n\tpath = x\n\turl = ../x.git\n',
    'api/go.mod': 'module x\n',
    'api/x_test.go': 'package x\n',
    'web/package.json': '{ "scripts": { "test": "vitest" }, "dependencies": { "x": "file:../x" } }',
  }
  const { devcontainer } = detected(look(filesOf(all)))
  const text = linesFor(all, { devcontainer, configured: true }, 1000).join('\n')
  expect(text).toContain(
    '  project in api: Go; tested there by "go test -v ./..." when a change touches it\n  project in web: JavaScript, Node.js; tested there by "npm test" after every change\n',
  )
  expect(text).toContain(
    'Devcontainer:\n  image of ci/Dockerfile, built from the root folder (.devcontainer.json:2)\n  its commands run in setup (.devcontainer.json)\n',
  )
  expect(text).toMatch(
    /Missing:\n {2}\.devcontainer\.json:3 asks for the feature ghcr\.io\/x\/y:1, .*\n(?:.*\n)* {2}\.gitmodules:1 has/,
  )
  expect(linesFor(all, { configured: true })).toContain('  .devcontainer.json is overruled by beadloom.json')
})

test('an empty repository is called empty', () => {
  expect(linesFor({}, { configured: true })).toEqual(['Nothing was found in the files.'])
})

test('many of one kind are cut, and no control sequence gets through', () => {
  const packages = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`p${n + 10}/go.mod`, 'module x\n']))
  expect(linesFor(packages)).toContain('  … and 18 more (--json shows all)')
  const config = '{ "image": "\u001b[2J", "postCreateCommand": "echo \u009b2J\u202e" }'
  const lines = linesFor({ '.devcontainer.json': config.replaceAll('\u001b', '\\u001b') })
  // oxlint-disable-next-line no-control-regex
  expect(lines.join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  expect(lines.join('\n')).toContain('echo')
})

test('in a narrow terminal lines are wrapped, but not JSON', () => {
  const lines = linesFor(files, {}, 40)
  const json = lines.slice(lines.indexOf('{')).join('\n')
  expect(JSON.parse(json)).toMatchObject({ verify: [{ command: 'npm test' }, { folder: 'api' }] })
  expect(Math.max(...lines.slice(0, lines.indexOf('{')).map((line) => line.length))).toBeLessThanOrEqual(40)
})
