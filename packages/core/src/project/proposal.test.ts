import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseProjectConfig } from './project-config.ts'
import { filesOf } from '../testing/sample-repository.ts'
import { look } from '../environment/look.ts'
import { proposalFor, type Proposal } from './proposal.ts'
import { longTest } from '../testing/long-test.ts'

const proposal = (files: Record<string, string>): Proposal => proposalFor(look(filesOf(files)))

describe('the image', () => {
  test('is not written down if the files say enough', () => {
    const { config, open } = proposal({ 'go.mod': 'go 1.22\n', 'package.json': '{"scripts":{"test":"x"}}' })
    expect(Object.keys(config)).toEqual(['setup', 'verify'])
    expect(open).toEqual([])
  })

  test('gets tools that only a CI asks for if they are written down', () => {
    const { config, from } = proposal({
      Makefile: 'test:\n\ttrue\n',
      '.github/workflows/ci.yml':
        'on: push\njobs: { a: { steps: [{ uses: actions/setup-go@v5, with: { go-version: "1.22" } }] } }\n',
    })
    expect(config.toolchains).toEqual({ go: '1.22' })
    expect(from[0]).toMatchObject({ key: 'toolchains', place: { file: '.github/workflows/ci.yml' } })
  })

  test('has no installer that a CI merely tries the package with', () => {
    const workflow = 'on: push\njobs: { a: { steps: [{ uses: pnpm/action-setup@v4, with: { version: "9" } }] } }\n'
    const { config, open } = proposal({
      'package.json': '{"scripts":{"test":"node --test"}}',
      '.github/workflows/ci.yml': workflow,
    })
    expect(config.toolchains).toBeUndefined()
    expect(open).toEqual([])
  })

  test('has no language that a CI uses only for documents', () => {
    const { config, open } = proposal({
      'CMakeLists.txt': 'enable_testing()\n',
      '.github/workflows/docs.yml':
        'on: push\njobs: { a: { steps: [{ uses: actions/setup-python@v5, with: { python-version: "3.9" } }] } }\n',
    })
    expect(config.toolchains).toBeUndefined()
    expect(open).toEqual([])
  })

  test('lacks unavailable tools, which is said', () => {
    const { open } = proposal({ 'A.csproj': '<TargetFramework>net8.0</TargetFramework>' })
    expect(open[0]).toContain('name an "image" (mcr.microsoft.com/dotnet/sdk:8.0) or a "dockerfile"')
  })

  test('is that of a devcontainer, which counts without being written', () => {
    const devcontainer = (json: object) =>
      proposal({ 'go.mod': '', '.devcontainer/devcontainer.json': JSON.stringify(json) })
    expect(Object.keys(devcontainer({ image: 'example.org/dev:1' }).config)).toEqual(['setup', 'verify'])
    expect(Object.keys(devcontainer({ build: { dockerfile: 'Dockerfile' } }).config)).toEqual(['setup', 'verify'])
    const { open } = devcontainer({ features: { 'ghcr.io/x/y:1': {} } })
    expect(open).toEqual([expect.stringContaining('asks for the feature ghcr.io/x/y:1, which only its registry has')])
  })
})

describe('commands', () => {
  test('are the ones that run unasked: a runner that is merely installed is not called if there are no tests', () => {
    const { config } = proposal({
      'package.json': '{"workspaces":["packages/*"],"devDependencies":{"mocha":"1"}}',
      'package-lock.json': '{}',
      'packages/a/package.json': '{"name":"a","scripts":{"test":"mocha"}}',
    })
    expect(config.verify).toEqual([{ type: 'test', command: 'npm test --workspaces --if-present' }])
  })

  test('leave out a build that only a Makefile has, if something else tests', () => {
    const { config } = proposal({
      'pyproject.toml': '[project]\nname = "a"\n[tool.pytest.ini_options]\n',
      'tests/test_a.py': '',
      Makefile: 'build:\n\tpython setup.py sdist\n',
    })
    expect(config.verify?.map(({ type }) => type)).toEqual(['test'])
  })

  test('are a setup, and checks in their order', () => {
    const scripts = { lint: 'eslint', test: 'vitest', build: 'tsc' }
    const { config, from, open } = proposal({ 'package.json': JSON.stringify({ scripts }), 'package-lock.json': '{}' })
    expect(config).toEqual({
      setup: 'npm ci',
      verify: [
        { type: 'build', command: 'npm run build' },
        { type: 'test', command: 'npm test' },
        { type: 'lint', command: 'npm run lint' },
      ],
    })
    expect(from.map(({ key, place }) => [key, place.file])).toEqual([
      ['setup', 'package-lock.json'],
      ...Array.from({ length: 3 }, () => ['verify', 'package.json']),
    ])
    expect(open).toEqual([])
  })

  test('are those of a CI if nothing else names any', () => {
    const ci = 'jobs: { a: { steps: [{ run: make check }, { run: pip install x }] } }'
    expect(proposal({ '.github/workflows/ci.yml': ci }).config).toEqual({
      setup: 'pip install x',
      verify: [{ type: 'test', command: 'make check' }],
    })
  })

  test('run in the folder of the only project', () => {
    expect(proposal({ 'README.md': '', 'my app/go.mod': 'go 1.22\n' }).config).toMatchObject({
      setup: "cd 'my app' && go mod download && { go test -exec true ./... || true; }",
      verify: [{ type: 'test', command: "cd 'my app' && go test -v ./..." }],
    })
  })

  test('are requested if there are none, with the existing projects', () => {
    expect(proposal({ 'README.md': '' }).open).toEqual([expect.stringContaining('No command that tests was found')])
    expect(proposal({ 'a/package.json': '{}', 'b/package.json': '{}' }).open).toEqual([
      expect.stringContaining('2 projects in folders (a and b, …)'),
    ])
  })
})

test('services are proposed with their images', () => {
  expect(proposal({ 'compose.yaml': 'services: { db: { image: "postgres:16" } }' }).config).toEqual({
    services: { db: { image: 'postgres:16' } },
  })
})

longTest('whatever a repository says, the proposal is a valid beadloom.json', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ minLength: 1900, maxLength: 2100 }),
    fc.constant('20'),
  )
  const file = fc.constantFrom('package.json', 'go.mod', 'a b/go.mod', "it's/Cargo.toml", 'pom.xml', 'deno.json')
  const command = fc.record({
    scripts: fc.dictionary(fc.constantFrom('test', 'build', 'lint'), text),
    engines: fc.dictionary(fc.constant('node'), text),
  })
  const devcontainer = fc.record(
    {
      image: fc.oneof(text, fc.constant('a'.repeat(301))),
      postCreateCommand: fc.oneof(text, fc.array(text)),
      build: fc.record({ dockerfile: text, context: fc.constant('..') }),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.uniqueArray(file), command, devcontainer, (names, manifest, container) => {
      const files = names.map((name) => [name, JSON.stringify(manifest)])
      files.push(['.devcontainer/devcontainer.json', JSON.stringify(container)])
      const { config } = proposal(Object.fromEntries(files))
      expect(parseProjectConfig(JSON.stringify(config))).toEqual(config)
    }),
  )
})
