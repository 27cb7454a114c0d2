/*
 * What a repository's usual files say about its dependencies and tests, where `beadloom.json` does not. `setup` runs
 * once for each state of `lockFiles`, with the network on. Tests run without it, so nothing here may fetch while
 * testing.
 */

/** What the repository's files say where `beadloom.json` does not. */
export type Detected = {
  setup: string | null
  test: string | null
  /** Checks other than the tests ("build", "lint"), in the order in which they run. */
  checks: { type: 'build' | 'lint'; command: string }[]
  techStack: string[]
}

/** Shown in the prompt where nothing is known: an empty list would look like a mistake. */
const UNKNOWN_STACK = 'not detected'

/**
 * @param rootFiles names in the root folder of the commit
 * @param packageJson the text of `package.json`, or null when there is none
 */
export function detect(rootFiles: readonly string[], packageJson: string | null): Detected {
  const has = new Set(rootFiles)
  const found = [node(has, packageJson), python(has), go(has), rust(has), make(has)].filter((one) => one !== null)
  const setups = found.map(({ setup }) => setup).filter((setup) => setup !== null)
  const techStack = [...new Set(found.flatMap((one) => one.techStack))]
  return {
    setup: setups.length === 0 ? null : setups.join(' && '),
    test: found.find(({ test }) => test !== null)?.test ?? null,
    checks: found.flatMap(({ checks }) => checks),
    techStack: techStack.length === 0 ? [UNKNOWN_STACK] : techStack,
  }
}

/** Files that decide what `setup` installs; their contents are part of the image's cache key. Sorted. */
export const lockFiles = (rootFiles: readonly string[]): string[] =>
  rootFiles.filter((name) => deciding.has(name) || /^requirements[\w.-]*\.(?:txt|in)$/.test(name)).sort()

const deciding: ReadonlySet<string> = new Set([
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'yarn.lock',
  '.npmrc',
  '.yarnrc.yml',
  'pyproject.toml',
  'poetry.lock',
  'uv.lock',
  'setup.py',
  'setup.cfg',
  'go.mod',
  'go.sum',
  'Cargo.toml',
  'Cargo.lock',
])

type Finder = (has: ReadonlySet<string>) => Detected | null

function node(has: ReadonlySet<string>, packageJson: string | null): Detected | null {
  if (!has.has('package.json')) return null
  const manifest = readManifest(packageJson)
  const typed = has.has('tsconfig.json') || manifest.dependencies.includes('typescript')
  return {
    setup: nodeSetup(has, manifest),
    // `npm test` runs the script whichever package manager installed, and unlike `npx pnpm` needs no network.
    test: manifest.test === null ? null : 'npm test',
    checks: manifest.checks,
    techStack: [typed ? 'TypeScript' : 'JavaScript', 'Node.js'],
  }
}

function nodeSetup(has: ReadonlySet<string>, manifest: Manifest): string | null {
  if (has.has('package-lock.json') || has.has('npm-shrinkwrap.json')) return 'npm ci'
  if (has.has('pnpm-lock.yaml')) return 'npx --yes pnpm install --frozen-lockfile'
  if (has.has('yarn.lock')) {
    return manifest.modernYarn
      ? 'npx --yes corepack yarn install --immutable'
      : 'npx --yes yarn@1 install --frozen-lockfile'
  }
  // A lock file that we made would look like a change by the agent.
  return manifest.installs ? 'npm install --no-package-lock' : null
}

/** `installs` false: there is nothing to fetch or run, so the image needs no setup. */
type Manifest = {
  test: string | null
  checks: Detected['checks']
  dependencies: string[]
  installs: boolean
  modernYarn: boolean
}

/** A manifest that cannot be read is for npm to report, so that its message is in the setup's output. */
function readManifest(text: string | null): Manifest {
  const unread: Manifest = { test: null, checks: [], dependencies: [], installs: true, modernYarn: false }
  let json: unknown
  try {
    json = JSON.parse(text ?? '')
  } catch {
    return unread
  }
  if (!isRecord(json)) return unread
  const scripts = isRecord(json['scripts']) ? json['scripts'] : {}
  const test = typeof scripts['test'] === 'string' ? scripts['test'].trim() : ''
  const dependencies = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((key) =>
    isRecord(json[key]) ? Object.keys(json[key]) : [],
  )
  return {
    test: test === '' || isPlaceholder(test) ? null : test,
    checks: (['build', 'lint'] as const)
      .filter((name) => typeof scripts[name] === 'string' && scripts[name].trim() !== '')
      .map((type) => ({ type, command: `npm run ${type}` })),
    dependencies,
    installs:
      dependencies.length > 0 ||
      'workspaces' in json ||
      ['install', 'postinstall', 'prepare'].some((key) => key in scripts),
    modernYarn: /^yarn@(?:[2-9]|\d\d)/.test(String(json['packageManager'] ?? '')),
  }
}

/** What `npm init` writes. */
const isPlaceholder = (test: string): boolean => test.includes('no test specified')

/**
 * The virtual environment ignores itself, or its thousands of files would count as the agent's work. pytest is added to
 * it, since few projects list it as a requirement.
 */
const python: Finder = (has) => {
  const wanted = has.has('requirements.txt')
    ? '-r requirements.txt'
    : has.has('pyproject.toml')
      ? "-e '.[dev,test]'"
      : null
  if (wanted === null) return null
  const setup = `python3 -m venv .venv && echo '*' > .venv/.gitignore && .venv/bin/pip install ${wanted} pytest`
  return { setup, test: '.venv/bin/python -m pytest', checks: [], techStack: ['Python'] }
}

const go: Finder = (has) =>
  has.has('go.mod') ? { setup: 'go mod download', test: 'go test ./...', checks: [], techStack: ['Go'] } : null

const rust: Finder = (has) =>
  has.has('Cargo.toml') ? { setup: 'cargo fetch', test: 'cargo test', checks: [], techStack: ['Rust'] } : null

const make: Finder = (has) =>
  ['Makefile', 'makefile', 'GNUmakefile'].some((name) => has.has(name))
    ? { setup: null, test: 'make test', checks: [], techStack: ['Make'] }
    : null

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
