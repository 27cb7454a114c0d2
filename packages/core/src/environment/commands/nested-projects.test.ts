import { describe, expect, test } from 'vitest'
import { parseProjectConfig, resolveSettings } from '../../project/project-config.ts'
import { detectedSteps } from '../../project/verify-steps.ts'
import { filesOf } from '../../testing/sample-repository.ts'
import { detected, type Detected } from './detected.ts'
import { look } from '../look.ts'
import { nestedProjects } from './nested-projects.ts'
import { proposalFor } from '../../project/proposal.ts'

const of = (files: Record<string, string>): Detected => detected(look(filesOf(files)))
const node = (scripts: object = { test: 'vitest' }) => JSON.stringify({ scripts, dependencies: { a: '1' } })
const names = (files: Record<string, string>): string[] => of(files).nested.map(({ folder }) => folder)

describe('projects in folders', () => {
  const files = {
    'api/x_test.go': '',
    'api/go.mod': 'module x\n\ngo 1.24\n',
    'web/package.json': node({ build: 'vite build', test: 'vitest', lint: 'eslint .' }),
    'web/package-lock.json': '{}',
  }

  test('are all set up, each in its own folder', () => {
    const { setup, test: tests, techStack, tools } = of(files)
    expect(setup).toContain('( cd api && go mod download && { go test -exec true ./... || true; } ) && some=1 ||')
    expect(setup).toContain('( cd web && npm ci )')
    expect(tests).toBe('( cd api && go test -v ./... ) && ( cd web && npm test )')
    expect(techStack).toEqual(['Go', 'JavaScript', 'Node.js'])
    expect(tools.map(({ tool }) => tool)).toEqual(['go', 'node'])
  })

  test('that are modules of their own are set up beside one in the root, which downloads nothing for them', () => {
    const modules = { 'go.mod': 'module x\n', 'a_test.go': '', 'exp/go.mod': 'module y\n', 'exp/a_test.go': '' }
    expect(of(modules).setup).toMatch(/^go mod download .* && \{ \( cd exp && go mod download /)
  })

  test("that are a module of Go in a folder of tests count if they have tests themselves, and fixtures don't", () => {
    const root = { 'go.mod': '', 'x_test.go': '' }
    const test = 'grpc/internal/test'
    const files = { [`${test}/go.mod`]: '', [`${test}/helper.go`]: '', [`${test}/x_test.go`]: '' }
    expect(names({ ...root, ...files })).toEqual([test])
    expect(names({ ...root, 'test/go.mod': '', 'testdata/go.mod': '', 'testdata/x_test.go': '' })).toEqual([])
  })

  test('that are modules of tools, without a test, are left out beside one that has some', () => {
    const modules = { 'go.mod': 'module x\n', 'a_test.go': '', 'tools/go.mod': 'module y\n', 'tools/tools.go': '' }
    expect(names(modules)).toEqual([])
  })

  test('have checks of their own, which run if a change touches them', () => {
    expect(detectedSteps(of(files), 1000)).toEqual([
      { type: 'test', name: 'test api', command: 'cd api && go test -v ./...', timeoutMs: 1000, paths: ['api'] },
      { type: 'build', name: 'build web', command: 'cd web && npm run build', timeoutMs: 1000, paths: ['web'] },
      { type: 'test', name: 'test web', command: 'cd web && npm test', timeoutMs: 1000, paths: ['web'] },
      { type: 'lint', name: 'lint web', command: 'cd web && npm run lint', timeoutMs: 1000, paths: ['web'] },
    ])
  })

  test('are proposed as they run unasked', () => {
    const { config } = proposalFor(look(filesOf(files)))
    expect(config.verify?.[0]).toEqual({
      type: 'test',
      name: 'test api',
      command: 'go test -v ./...',
      folder: 'api',
      paths: ['api'],
    })
    const found = of(files)
    const written = resolveSettings(parseProjectConfig(JSON.stringify(config)), found, 'x', 'main')
    const unasked = resolveSettings({}, found, 'x', 'main')
    expect(written.setup).toBe(unasked.setup)
    expect(written.folders).toEqual(['api', 'web'])
    expect(written.verify.map(({ command }) => command).sort()).toEqual(
      unasked.verify.map(({ command }) => command).sort(),
    )
  })
})

test.each<[string, Record<string, string>]>([
  ['is part of a workspace', { 'go.work': 'use (\n./a\n./b\n)\n', 'b/go.mod': 'module b\n' }],
  ['names a folder beside it', { 'b/go.mod': 'module b\nreplace a => ../a\n' }],
])('a project that %s is checked after every change', (_, files) => {
  const found = of({ 'a/go.mod': 'module a\n', ...files })
  expect(found.nested.find(({ folder }) => folder === 'b')?.paths).toBeNull()
  expect(detectedSteps(found, 1000).find(({ name }) => name === 'test b')).toEqual({
    type: 'test',
    name: 'test b',
    command: 'cd b && go test -v ./...',
    timeoutMs: 1000,
  })
})

test("tests of the root that look or go into a folder are that folder's tests", () => {
  const [a, b] = ['packages/a/package.json', 'packages/b/package.json']
  const root = (test: string, more: object = {}) =>
    JSON.stringify({ scripts: { test }, workspaces: ['packages/*'], ...more })
  const checks = (files: Record<string, string>) => detectedSteps(of(files), 1000).map(({ command }) => command)
  expect(checks({ 'package.json': root('vitest'), [a]: node() })).toEqual(['npm test'])
  expect(checks({ 'package.json': root('npm test -ws'), [a]: node({ test: 'mocha' }) })).toEqual(['npm test'])
  expect(checks({ 'package.json': root('npm test --prefix packages/a'), [a]: node({ test: 'mocha' }) })).toEqual([
    'npm test',
    'npm test --workspaces --if-present',
  ])
  // The root looks elsewhere for its tests, or for those of another kind.
  for (const test of ['vitest run src', 'mocha'])
    expect(checks({ 'package.json': root(test), [a]: node(), [b]: node() })).toEqual([
      'npm test',
      'npm test --workspaces --if-present',
    ])
  const narrow = { 'vitest.config.ts': 'export default { test: { include: ["src/**"] } }' }
  expect(checks({ 'package.json': root('vitest'), [a]: node(), ...narrow })).toHaveLength(2)
  expect(names({ Makefile: 'test:\n\tcd api && go test ./...\n', 'api/go.mod': '', 'api/x_test.go': '' })).toEqual([])
  expect(names({ Makefile: 'test:\n\ttrue\n', 'api/go.mod': '', 'api/x_test.go': '' })).toEqual(['api'])
})

describe('beside tests of the root', () => {
  const root = { 'package.json': node(), 'package-lock.json': '{}' }

  test('a project with a lock file of its own is set up and tested if a change touches it', () => {
    const web = { 'web/package.json': node({ test: 'jest' }), 'web/yarn.lock': '' }
    const found = of({ ...root, ...web })
    expect(found.setup).toMatch(/^npm ci && \{ \( cd web && yarn install --frozen-lockfile \) \|\|/)
    expect(detectedSteps(found, 1)).toMatchObject([
      { name: 'test', command: 'npm test' },
      { name: 'test web', command: 'cd web && yarn test', paths: ['web'] },
    ])
    expect(found.test).toBe('npm test && ( cd web && yarn test )')
  })

  test('one in another language counts if it has tests', () => {
    expect(names({ ...root, 'backend/requirements.txt': 'flask', 'backend/test_app.py': '' })).toEqual(['backend'])
    expect(names({ ...root, 'scripts/requirements.txt': 'requests' })).toEqual([])
  })

  test('a folder that the root tests itself is set up and not tested twice', () => {
    const files = {
      'package.json': node({ test: 'cd web && npm test' }),
      'web/package.json': node(),
      'web/package-lock.json': '',
    }
    expect(of(files).setup).toContain('( cd web && npm ci )')
    expect(detectedSteps(of(files), 1).map(({ command }) => command)).toEqual(['npm test'])
  })
})

test('each language of the root that has tests is a check of its own', () => {
  const files = { 'package.json': node(), 'pyproject.toml': '[project]\nname = "x"\n', Makefile: 'test:\n\ttrue\n' }
  const named = (more: Record<string, string>) => detectedSteps(of({ ...files, ...more }), 1).map(({ name }) => name)
  expect(named({ 'tests/test_x.py': '' })).toEqual(['test JavaScript', 'test Python'])
  expect(named({})).toEqual(['test'])
})

test('packages that a workspace has installed are not installed again', () => {
  const workspace = { 'package.json': '{"workspaces":["packages/*"]}', 'package-lock.json': '{}' }
  const found = of({ ...workspace, 'packages/a/package.json': node(), 'api/go.mod': '', 'api/x_test.go': '' })
  expect(found.nested.map(({ folder }) => folder)).toEqual(['api'])
  expect(found.setup).toMatch(/^npm ci && \{ \( cd api && go mod download/)
  expect(found.setup).not.toContain('packages/a')
  expect(found.test).toBe('npm test --workspaces --if-present && ( cd api && go test -v ./... )')
})

describe('a service that is also a package of a JavaScript workspace', () => {
  const root = { 'package.json': '{"workspaces":["services/*"]}', 'package-lock.json': '{}' }
  const pkg = (scripts: object) => JSON.stringify({ scripts, dependencies: { a: '1' } })

  test.each<[string, Record<string, string>, string]>([
    ['Python', { 'requirements.txt': 'flask', 'test_app.py': '' }, '. .venv/bin/activate && python -m pytest'],
    ['Go', { 'go.mod': 'module api\n', 'x_test.go': '' }, 'go test -v ./...'],
    ['Rust', { 'Cargo.toml': '[package]\nname = "api"\n' }, 'cargo test'],
  ])('is set up and tested in %s, beside its scripts', (_, files, command) => {
    const below = (folder: string) =>
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]))
    const found = of({
      ...root,
      ...below('services/api'),
      'services/api/package.json': pkg({ test: 'vitest' }),
      'services/web/package.json': pkg({ test: 'vitest' }),
    })
    expect(found.test).toMatch(/^npm test --workspaces --if-present && \( cd services\/api && /)
    expect(found.test).toContain(command)
    expect(found.setup).toContain('( cd services/api && ')
    expect(found.setup).not.toContain('cd services/web')
    expect(names({ ...root, ...below('services/api'), 'services/api/package.json': pkg({ dev: 'x' }) })).toEqual([
      'services/api',
    ])
  })

  test('belongs to a workspace of Python with its Python alone', () => {
    const found = of({
      'pyproject.toml': '[project]\nname = "x"\n[tool.uv.workspace]\nmembers = ["api"]\n',
      'api/pyproject.toml': '[project]\nname = "api"\n',
      'api/test_app.py': '',
      'api/package.json': pkg({ test: 'vitest' }),
    })
    expect(found.setup).toMatch(/\( cd api && (?:npm install|\{ npm)/)
    expect(found.nested).toMatchObject([{ folder: 'api', tests: [{ label: '', command: 'npm test' }] }])
  })
})

test('a folder with two languages is tested in both, and its recipes are not', () => {
  const files = {
    'app/package.json': node(),
    'app/requirements.txt': 'flask',
    'app/test_app.py': '',
    'app/Makefile': 'test:\n\tpytest\n',
  }
  expect(detectedSteps(of(files), 1).map(({ name }) => name)).toEqual(['test app JavaScript', 'test app Python'])
})

test('a project of Python that is tested in its folder has its environment there', () => {
  const files = { 'requirements.txt': 'black', 'api/requirements.txt': 'flask', 'api/tests/test_app.py': '' }
  expect(of(files).setup).toContain('( cd api && python3 -m venv .venv')
})

test('a gem in a folder has its own tests; those of a Deno workspace belong to its root', () => {
  const gem = { Gemfile: 'gem "rspec"', 'x_spec.rb': '', 'contrib/Gemfile': 'gem "rspec"', 'contrib/y_spec.rb': '' }
  expect(names(gem)).toEqual(['contrib'])
  const root = { 'x.test.ts': '', 'a/deno.json': '{}', 'a/y.test.ts': '' }
  for (const workspace of ['["./a"]', '{"members":["*"]}'])
    expect(names({ ...root, 'deno.json': `{"workspace":${workspace}}` })).toEqual([])
  expect(names({ ...root, 'deno.json': '{}' })).toEqual(['a'])
})

test('a project that runs unasked among others that have no tests is proposed as it runs', () => {
  const files = { 'a/go.mod': 'module x\n', 'a/x_test.go': '', 'b/go.mod': 'module y\n' }
  const { config, open } = proposalFor(look(filesOf(files)))
  expect(config.verify).toMatchObject([{ command: 'go test -v ./...', folder: 'a' }])
  expect(open).toEqual([])
})

test('folders below a project with tests are its own affair, and a folder without tests is ignored', () => {
  expect(names({ 'web/package.json': node(), 'web/plugins/x/package.json': node() })).toEqual(['web'])
  expect(names({ 'web/package.json': node({ build: 'x' }) })).toEqual([])
  expect(names({ '{{cookiecutter.slug}}/go.mod': '', '{{cookiecutter.slug}}/x_test.go': '' })).toEqual([])
  expect(names({ 'examples/a/package.json': node(), 'a/vendor/b/go.mod': '' })).toEqual([])
})

test('checks beyond three dozen are mentioned, and not run', () => {
  const many = Object.fromEntries(Array.from({ length: 39 }, (_, n) => [`p${n}/go.mod`, 'module x\n']))
  expect(nestedProjects(look(filesOf(many)))).toMatchObject({ left: ['p7', 'p8', 'p9'] })
  expect(of(many).nested).toHaveLength(36)
  expect(proposalFor(look(filesOf(many))).open).toContain(
    '3 more folders have tests that do not run (p7, p8, p9), so work there is not checked: name them as "verify" in beadloom.json.',
  )
})

describe('folders with tests that do not run', () => {
  const left = (files: Record<string, string>) => of(files).left
  const root = { 'go.mod': 'module x\n', 'x_test.go': '' }
  const deep = 'a/b/c/d/e'

  test('are too deep, too many, or have too many checks', () => {
    expect(left({ ...root, [`${deep}/go.mod`]: '', [`${deep}/x_test.go`]: '' })).toEqual([deep])
    const many = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [
          [`p${100 + n}/go.mod`, ''],
          [`p${100 + n}/x_test.go`, ''],
        ]).flat(),
      )
    expect(left(many(36))).toBeUndefined()
    expect(left(many(42))).toEqual(['p136', 'p137', 'p138', 'p139', 'p140', 'p141'])
  })

  test('are none without test files, or if a project above them runs their tests', () => {
    expect(left({ ...root, [`${deep}/go.mod`]: '' })).toBeUndefined()
    const python = { 'setup.py': '', 'test_x.py': '', [`${deep}/setup.py`]: '', [`${deep}/test_y.py`]: '' }
    expect(left(python)).toBeUndefined()
    expect(left({ ...python, 'pytest.ini': '[pytest]\ntestpaths = tests\n' })).toEqual([deep])
    const workspace = { 'package.json': '{"workspaces":["a/**"],"scripts":{"test":"vitest"}}' }
    expect(left({ ...workspace, [`${deep}/package.json`]: node(), [`${deep}/x.test.ts`]: '' })).toBeUndefined()
  })

  test('count for what agents do, unless the project names its own checks', () => {
    const found = of({ ...root, [`${deep}/go.mod`]: '', [`${deep}/x_test.go`]: '' })
    expect(resolveSettings({}, found, 'x', 'main').left).toEqual([deep])
    expect(resolveSettings({ test: 'make' }, found, 'x', 'main').left).toBeUndefined()
  })
})

test('a module of Go below one with tests has its own tests', () => {
  const files = { 'api/go.mod': '', 'api/x_test.go': '', 'api/v2/go.mod': '', 'api/v2/x_test.go': '' }
  expect(names(files)).toEqual(['api', 'api/v2'])
})

test('a folder of any name is one word to a shell', () => {
  expect(of({ "it's $(id)/go.mod": 'module x\n' }).test).toBe(String.raw`( cd 'it'\''s $(id)' && go test -v ./... )`)
})
