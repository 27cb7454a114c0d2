/** Files that decide what `setup` installs; their contents are part of the image's cache key. Sorted. */
export const lockFiles = (rootFiles: readonly string[]): string[] =>
  rootFiles.filter((name) => DECIDING.has(name) || PATTERN.test(name)).sort()

/** The files that a command of `setup` reads with `-r` or `-c`, wherever they are. */
export function requirementsIn(setup: string | null): string[] {
  const named = [...(setup ?? '').matchAll(NAMED)].map(([, file = '']) => file)
  return [...new Set(named)].filter((file) => !file.split('/').includes('..')).sort()
}

const NAMED = /(?:^|\s)-[rc][ =]?([\w.][\w./-]{0,150}\.(?:txt|in))(?=[\s;)]|$)/g

const PATTERN = /^(?:[\w.-]{1,60}[-_.])?(?:requirements|reqs)[\w.-]*\.(?:txt|in)$|\.(?:gemspec|csproj|fsproj|vbproj)$/

const DECIDING: ReadonlySet<string> = new Set(
  [
    ['package.json', 'package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'],
    ['yarn.lock', '.npmrc', '.yarnrc.yml', 'bun.lock', 'bun.lockb', 'deno.json', 'deno.jsonc', 'deno.lock'],
    ['pyproject.toml', 'poetry.lock', 'pdm.lock', 'uv.lock', 'setup.py', 'setup.cfg', 'Pipfile', 'Pipfile.lock'],
    ['tox.ini', 'noxfile.py', 'hatch.toml', 'tox.toml', 'pytest.ini'],
    ['go.mod', 'go.sum', 'go.work', 'go.work.sum', 'Cargo.toml', 'Cargo.lock'],
    ['pom.xml', 'build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts', 'gradle.lockfile'],
    ['global.json', 'packages.lock.json', 'Directory.Packages.props', 'Directory.Build.props'],
    ['Gemfile', 'Gemfile.lock', 'composer.json', 'composer.lock', 'mix.exs', 'mix.lock'],
    // The toolchains that the dependencies are for.
    ['.nvmrc', '.node-version', '.python-version', '.ruby-version', '.tool-versions', 'mise.toml', '.mise.toml'],
    ['rust-toolchain', 'rust-toolchain.toml'],
  ].flat(),
)

/** Written by a tool, with exact versions: a folder with such a file is installed by itself. */
const LOCKED =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|deno\.lock|(?:poetry|uv|pdm)\.lock|pylock\.toml|Pipfile\.lock|Cargo\.lock|gradle\.lockfile|packages\.lock\.json|Gemfile\.lock|composer\.lock|mix\.lock)$/

export const isLockFile = (name: string): boolean => LOCKED.test(name)
