import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A released project. `fetch` gets it with its registry's own client, into an empty folder. */
export type Released = { name: string; fetch: (into: string) => Promise<void> }

/** Asynchronous: the server in this process must not be blocked. */
const start = promisify(execFile)

const run = async (cwd: string, env: Record<string, string>, program: string, ...args: string[]): Promise<string> =>
  (await start(program, args, { cwd, encoding: 'utf8', env: { ...process.env, ...env } })).stdout

/** Gives `fetch` a temporary folder for its client's files, instead of this machine's own. */
async function inScratch(into: string, fetch: (scratch: string) => Promise<void>): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'bl-released-'))
  try {
    mkdirSync(into, { recursive: true })
    await fetch(scratch)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const untar = async (scratch: string, into: string): Promise<void> => {
  const file = readdirSync(scratch).find((name) => /\.(?:tgz|tar\.[gx]z)$/.test(name)) ?? ''
  await run(scratch, {}, 'tar', 'xf', join(scratch, file), '-C', into, '--strip-components=1')
}

const npm = (name: string): Released => ({
  name: `npm ${name}`,
  fetch: (into) =>
    inScratch(into, async (scratch) => {
      await run(scratch, {}, 'npm', 'pack', name, '--silent')
      await untar(scratch, into)
      // The repository has this file, but the package lacks it.
      writeFileSync(join(into, '.gitignore'), 'node_modules\n')
    }),
})

const pypi = (name: string): Released => ({
  name: `PyPI ${name}`,
  fetch: (into) =>
    inScratch(into, async (scratch) => {
      await run(scratch, {}, 'python3', '-m', 'pip', 'download', '--quiet', '--no-deps', '--no-binary', ':all:', name)
      await untar(scratch, into)
    }),
})

const go = (name: string): Released => ({
  name: `Go ${name}`,
  fetch: (into) =>
    inScratch(into, async (scratch) => {
      const env = { GOPATH: scratch, GOFLAGS: '-modcacherw' }
      const { Dir } = JSON.parse(await run(scratch, env, 'go', 'mod', 'download', '-json', name)) as { Dir: string }
      cpSync(Dir, into, { recursive: true })
    }),
})

const crate = (name: string, version: string): Released => ({
  name: `crates.io ${name} ${version}`,
  fetch: (into) =>
    inScratch(into, async (scratch) => {
      mkdirSync(join(scratch, 'src'))
      writeFileSync(join(scratch, 'src', 'lib.rs'), '')
      writeFileSync(
        join(scratch, 'Cargo.toml'),
        `[package]\nname = "fetches"\nversion = "0.0.0"\n[dependencies]\n${name} = "=${version}"\n`,
      )
      const home = join(scratch, 'home')
      await run(scratch, { CARGO_HOME: home }, 'cargo', 'fetch', '--quiet')
      const [registry = ''] = readdirSync(join(home, 'registry', 'src'))
      cpSync(join(home, 'registry', 'src', registry, `${name}-${version}`), into, { recursive: true })
    }),
})

/** Maven Central keeps sources and tests as two archives beside the `pom.xml`. */
const maven = (group: string, name: string, version: string): Released => ({
  name: `Maven ${name} ${version}`,
  fetch: (into) =>
    inScratch(into, async (scratch) => {
      const parts = [`${version}:pom`, `${version}:jar:sources`, `${version}:jar:test-sources`]
      for (const part of parts)
        await run(
          scratch,
          {},
          'mvn',
          '-q',
          '-B',
          `-Dmaven.repo.local=${join(scratch, 'm2')}`,
          'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy',
          `-Dartifact=${group}:${name}:${part}`,
          '-DoutputDirectory=.',
        )
      for (const [kind, folder] of [
        ['sources', 'main'],
        ['test-sources', 'test'],
      ] as const) {
        const java = join(into, 'src', folder, 'java')
        mkdirSync(java, { recursive: true })
        const archive = join(scratch, `${name}-${version}-${kind}.jar`)
        await run(scratch, {}, 'unzip', '-q', archive, '*.java', '-d', java)
        // The resources of the classes. There may be none, which unzip calls an error.
        const resources = join(into, 'src', folder, 'resources')
        await run(scratch, {}, 'unzip', '-q', archive, '-x', '*.java', 'META-INF/*', '-d', resources).catch(() => {})
      }
      renameSync(join(scratch, `${name}-${version}.pom`), join(into, 'pom.xml'))
      writeFileSync(join(into, '.gitignore'), 'target\n')
    }),
})

/** The upstream archive of a source package, by apt with a separate list: this machine's list may name no sources. */
const debian = (name: string): Released => ({
  name: `Debian ${name}`,
  fetch: (into) =>
    inScratch(into, async (scratch) => {
      const lists = join(scratch, 'lists')
      mkdirSync(join(lists, 'partial'), { recursive: true })
      const key = '/usr/share/keyrings/debian-archive-keyring.gpg'
      writeFileSync(
        join(scratch, 'sources.list'),
        `deb-src [signed-by=${key}] http://deb.debian.org/debian bookworm main\n`,
      )
      const own = [
        `Dir::Etc::SourceList=${join(scratch, 'sources.list')}`,
        'Dir::Etc::SourceParts=-',
        `Dir::State::Lists=${lists}`,
        'Dir::Cache::srcpkgcache=',
        'Dir::Cache::pkgcache=',
      ].flatMap((setting) => ['-o', setting])
      await run(scratch, {}, 'apt-get', ...own, '-q', 'update')
      await run(scratch, {}, 'apt-get', ...own, '-q', 'source', '--download-only', '--tar-only', name)
      await untar(scratch, into)
    }),
})

export const released: readonly Released[] = [
  npm('reusify@1.0.4'),
  npm('pump@3.0.0'),
  pypi('click==8.1.7'),
  pypi('more-itertools==10.5.0'),
  go('github.com/spf13/cast@v1.7.1'),
  // It needs a newer Go than Debian's.
  go('golang.org/x/sync@v0.20.0'),
  crate('hex', '0.4.3'),
  crate('semver', '1.0.23'),
  maven('commons-cli', 'commons-cli', '1.9.0'),
  // In C, in C++, and in TypeScript with its tests, which the npm registry mostly has not.
  debian('cjson'),
  debian('pugixml'),
  debian('node-compare-versions'),
]
