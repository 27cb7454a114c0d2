import { describe, expect, test } from 'vitest'
import { detected, type Detected } from './detected.ts'
import { lockFiles, requirementsIn } from '../../files/lock-files.ts'
import { look } from '../look.ts'

const detect = (paths: string[], packageJson: string | null): Detected =>
  detected(look({ paths, texts: new Map(packageJson === null ? [] : [['package.json', packageJson]]) }))

const manifest = (fields: object) => JSON.stringify({ name: 'x', ...fields })
const tested = manifest({ scripts: { test: 'vitest run' }, devDependencies: { vitest: '1' } })

describe('detection from the usual files', () => {
  test.each([
    [['package.json', 'package-lock.json'], 'npm ci', 'npm test'],
    [['package.json', 'npm-shrinkwrap.json'], 'npm ci', 'npm test'],
    [['package.json', 'pnpm-lock.yaml'], 'pnpm install --frozen-lockfile', 'pnpm test'],
    [['package.json', 'yarn.lock'], 'yarn install --frozen-lockfile', 'yarn test'],
    [['package.json', 'yarn.lock', '.yarnrc.yml'], 'yarn install --immutable', 'yarn test'],
    [['package.json', 'bun.lock'], 'bun install --frozen-lockfile', 'bun run test'],
    [['package.json', 'bun.lockb'], 'bun install --frozen-lockfile', 'bun run test'],
    [['package.json'], 'npm install --no-package-lock', 'npm test'],
  ])('%j: dependencies by "%s", tests by "%s"', (files, setup, test) => {
    expect(detect(files, tested)).toMatchObject({ setup, test, techStack: ['JavaScript', 'Node.js'] })
  })

  test('makes scripts that build and lint checks beside the tests, but not empty ones', () => {
    const scripts = { test: 'x', build: 'tsc', lint: 'eslint .', start: 'y' }
    expect(detect(['package.json'], manifest({ scripts })).checks).toEqual([
      { type: 'build', command: 'npm run build' },
      { type: 'lint', command: 'npm run lint' },
    ])
    expect(detect(['package.json'], manifest({ scripts: { build: ' ', lint: 3 } })).checks).toEqual([])
  })

  test('needs no setup for a package without dependencies', () => {
    expect(detect(['package.json'], manifest({ scripts: { test: 'node --test' } }))).toMatchObject({
      setup: null,
      test: 'npm test',
    })
    expect(detect(['package.json'], manifest({ scripts: { prepare: 'tsc' } })).setup).not.toBeNull()
    expect(detect(['package.json'], manifest({ workspaces: ['a'] })).setup).not.toBeNull()
  })

  test("ignores npm's placeholder as a test, and an empty or a missing one", () => {
    const placeholder = 'echo "Error: no test specified" && exit 1'
    for (const scripts of [{ test: placeholder }, { test: ' ' }, { test: 1 }, {}])
      expect(detect(['package.json'], manifest({ scripts })).test).toBeNull()
  })

  test.each(['{', '[]', 'null', '{"scripts":[],"dependencies":3}', '{"packageManager":{"toString":1}}'])(
    'survives a package.json that holds %s',
    (text) => {
      expect(detect(['package.json', 'package-lock.json'], text)).toMatchObject({ setup: 'npm ci', test: null })
    },
  )

  test('finds TypeScript in tsconfig.json or the dependencies', () => {
    expect(detect(['package.json', 'tsconfig.json'], tested).techStack).toEqual(['TypeScript', 'Node.js'])
    const typed = manifest({ devDependencies: { typescript: '7' } })
    expect(detect(['package.json'], typed).techStack).toEqual(['TypeScript', 'Node.js'])
  })

  test.each([
    [
      ['requirements.txt', 'setup.cfg', 'test_x.py'],
      /^python3 -m venv \.venv && .*pip install -r requirements\.txt pytest && case /,
    ],
    [['pyproject.toml', 'tests/test_x.py'], /pip install pytest$/],
  ])('for %j: a virtual environment that git ignores, and pytest', (files, setup) => {
    const found = detect(files, null)
    expect(found.setup).toMatch(setup)
    expect(found.setup).toContain("echo '*' > .venv/.gitignore")
    expect(found).toMatchObject({
      test: '. .venv/bin/activate && python -m pytest --continue-on-collection-errors',
      techStack: ['Python'],
    })
  })

  test.each([
    [
      ['go.mod'],
      {
        setup: 'go mod download && { go test -exec true ./... || true; }',
        test: 'go test -v ./...',
        techStack: ['Go'],
      },
    ],
    [
      ['Cargo.toml'],
      {
        setup: 'cargo fetch && { cargo test --workspace --no-fail-fast --no-run || true; }',
        test: 'cargo test --workspace --no-fail-fast',
        techStack: ['Rust'],
      },
    ],
    [['Makefile'], { setup: null, test: 'make -k test', techStack: ['Make'] }],
    [
      ['pom.xml'],
      {
        setup:
          "{ mvn -B -fae -Dmaven.test.failure.ignore=true '-Dtest=*#beadloomRunsNone' -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false test || mvn -B -q -o validate; }",
        test: 'mvn -B -o -fae test',
        techStack: ['Java', 'Maven'],
      },
    ],
    [['README.md'], { setup: null, test: null, techStack: ['not detected'] }],
    [[], { setup: null, test: null, techStack: ['not detected'] }],
  ])('%j: %j', (files, found) => {
    expect(detect(files, null)).toMatchObject({ checks: [], ...found })
  })

  test('sets up several at once, and the first that has tests decides', () => {
    const found = detect(['package.json', 'go.mod', 'Makefile'], manifest({ dependencies: { a: '1' } }))
    expect(found).toMatchObject({
      setup:
        "{ ( npm install --no-package-lock ) || echo 'JavaScript: setup failed; that of the others goes on' >&2; } && go mod download && { go test -exec true ./... || true; }",
      test: 'go test -v ./...',
      techStack: ['JavaScript', 'Node.js', 'Go', 'Make'],
    })
  })
})

test('lock files and manifests decide the image, other files do not', () => {
  const files = ['src', 'yarn.lock', 'package.json', 'requirements-dev.txt', 'README.md', 'Makefile', 'go.sum']
  expect(lockFiles(files)).toEqual(['go.sum', 'package.json', 'requirements-dev.txt', 'yarn.lock'])
})

test('a tool that its own files ask for is not lost if only a CI names a version', () => {
  const texts = new Map([
    ['go.mod', 'module x\n'],
    [
      '.github/workflows/ci.yml',
      'jobs: { a: { steps: [{ uses: actions/setup-go@v5, with: { go-version: "1.22" } }] } }\n',
    ],
  ])
  const found = look({ paths: [...texts.keys()], texts })
  expect(found.tools).toMatchObject([{ tool: 'go', version: '1.22', confidence: 'hint' }])
  expect(detected(found).tools).toMatchObject([{ tool: 'go', version: null, from: { file: 'go.mod' } }])
})

test('files that setup reads by name count as lock files do', () => {
  expect(
    requirementsIn('pip install -e . -r requirements/test.txt -ctests/pins.txt || pip install -r a.txt; x'),
  ).toEqual(['a.txt', 'requirements/test.txt', 'tests/pins.txt'])
  expect(requirementsIn('pip install -r ../x.txt -r /etc/x.txt -r $HOME/x.txt')).toEqual([])
  expect(requirementsIn(null)).toEqual([])
})
