import { place } from '../claims.ts'
import { jsonLine } from '../formats/json-text.ts'
import type { Place } from '../found.ts'
import type { Folder } from '../files/repository-files.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { ManagerName, Manifest } from './manifest.ts'

/** `modern`: Yarn 2 or later. `locked`: the lock file decides what is installed. */
export type PackageManager = {
  name: ManagerName
  version: string | null
  modern: boolean
  locked: boolean
  /** Its lock file; null: there is none. */
  lock: string | null
  /** The place that names it. */
  from: Place
}

const FILE = 'package.json'
const LOCKS: readonly (readonly [string, ManagerName])[] = [
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
]

/** The manager whose lock file exists; if there are several, the one that the manifest names, or the first. */
export function packageManager(folder: Folder, manifest: Manifest): PackageManager {
  const named = manifest.packageManager
  const locks = LOCKS.filter(([file]) => folder.has(file))
  const lock = locks.find(([, one]) => one === named?.name) ?? locks[0]
  const name = lock?.[1] ?? named?.name ?? usualOf(folder)
  const file = lock?.[0] ?? null
  const isNamed = named !== null && named.name === name
  const text = folder.text(FILE)
  const from = isNamed
    ? place(folder, FILE, text === null ? null : jsonLine(text, named.key))
    : place(folder, file ?? FILE)
  const version = isNamed ? named.version : versionOf(folder, name)
  return { name, version, modern: name === 'yarn' && isModern(version), locked: file !== null, lock: file, from }
}

const usualOf = (folder: Folder): ManagerName => (folder.has('pnpm-workspace.yaml') ? 'pnpm' : 'npm')

const isModern = (version: string | null): boolean => version !== null && !/^[01](?:\.|$)/.test(version)

/** The series of versions that reads the lock file and keeps its format, which the file's first lines name. */
function versionOf(folder: Folder, name: ManagerName): string | null {
  if (name === 'pnpm') return seriesOf(folder.text('pnpm-lock.yaml'), /^lockfileVersion:\s*['"]?(\d+)/m, pnpmOf)
  if (name !== 'yarn') return null
  const own = /^yarnPath:\s*\S*yarn-(\d+\.\d+\.\d+)\.[cm]?js/m.exec(folder.text('.yarnrc.yml') ?? '')?.[1]
  const locked = seriesOf(folder.text('yarn.lock'), /^__metadata:\s+version:\s*['"]?(\d+)/m, yarnOf)
  return own ?? locked ?? (folder.has('.yarnrc.yml') ? '4' : '1')
}

function seriesOf(text: string | null, pattern: RegExp, of: (form: number) => string): string | null {
  const form = pattern.exec(text ?? '')?.[1]
  return form === undefined ? null : of(Number(form))
}

const pnpmOf = (form: number): string => (form >= 9 ? '10' : form >= 6 ? '8' : '7')
const yarnOf = (form: number): string => (form >= 7 ? '4' : form >= 5 ? '3' : '2')

/** Writes no lock file: a new one would look like a change by the agent. */
export function installCommand({ name, modern, locked }: PackageManager): string {
  switch (name) {
    case 'npm':
      return locked ? 'npm ci' : 'npm install --no-package-lock'
    case 'pnpm':
      return locked ? 'pnpm install --frozen-lockfile' : 'pnpm install --no-lockfile'
    case 'yarn':
      if (modern) return locked ? 'yarn install --immutable' : 'yarn install --no-immutable'
      return locked ? 'yarn install --frozen-lockfile' : 'yarn install --no-lockfile'
    case 'bun':
      return locked ? 'bun install --frozen-lockfile' : 'bun install --no-save'
  }
}

/**
 * Installs the root and only some of its workspaces: packages that only the others need (an example, pages) may not be
 * available. Null: that is not possible.
 */
export function installSome(manager: PackageManager, folders: readonly string[]): string | null {
  const { name, locked } = manager
  if (!locked || folders.length === 0 || folders.length > MOST_INSTALLED) return null
  const install = installCommand(manager)
  if (name === 'pnpm')
    return `${install} --filter .${folders.map((folder) => ` --filter ${shellWord(`./${folder}...`)}`).join('')}`
  if (name === 'npm')
    return `${install} --include-workspace-root${folders.map((folder) => ` --workspace=${shellWord(folder)}`).join('')}`
  return null
}

const MOST_INSTALLED = 20

/** `words`: shell text, passed on to the last program of the script. */
export function runScript({ name }: PackageManager, script: string, words = ''): string {
  // `pnpm test` would itself take words that begin with a dash.
  const isShort = script === 'test' && name !== 'bun' && !(name === 'pnpm' && words !== '')
  const called = isShort ? script : `run ${shellWord(script)}`
  const handed = words === '' ? '' : name === 'npm' ? ` -- ${words}` : ` ${words}`
  return `${name} ${called}${handed}`
}

/** Runs a program of one of the dependencies, and never downloads it. */
export function runProgram({ name }: PackageManager, line: string): string {
  return { npm: 'npx --no-install ', pnpm: 'pnpm exec ', yarn: 'yarn run ', bun: 'bun run ' }[name] + line
}

/** Folders of workspaces. `having`: those that have the script. `without`: those among them that are left out. */
export type Among = { having: readonly string[]; without: readonly string[] }

/** The most workspaces that a command line names, so that it stays short. With more of them, all are run. */
const MOST_NAMED = 40

/**
 * Runs a script in every workspace that has it, even after a failure, and one after the other: mixed output would be
 * unreadable. npm runs it in workspaces that Yarn 1 or Bun have installed: Yarn 1 stops at the first workspace without
 * the script, and Bun writes names between the lines.
 */
export function runInWorkspaces(manager: PackageManager, script: string, { having, without }: Among): string {
  const { name, modern } = manager
  const word = shellWord(script)
  const left = without.slice(0, MOST_NAMED)
  const named = having.filter((folder) => !without.includes(folder))
  if (name === 'pnpm') {
    const filters = left.map((folder) => ` --filter ${shellWord(`!./${folder}`)}`).join('')
    return `pnpm --recursive --no-bail --workspace-concurrency=1${filters} run ${word}`
  }
  // Yarn 2 and 3 have `workspaces foreach` only with a plugin.
  if (name === 'yarn' && modern && named.length > 0 && /^[23]\./.test(`${manager.version}.`))
    return `failed=; for folder in ${named.map(shellWord).join(' ')}; do ( cd "$folder" && yarn run ${word} ) || failed=1; done; [ -z "$failed" ]`
  if (name === 'yarn' && modern) {
    const excluded = left.map((folder) => ` --exclude ${shellWord(folder)}`).join('')
    return `yarn workspaces foreach --all${excluded} run ${word}`
  }
  const which =
    without.length === 0 || named.length > MOST_NAMED
      ? '--workspaces'
      : named.map((folder) => `--workspace=${shellWord(folder)}`).join(' ')
  return `npm ${script === 'test' ? script : `run ${word}`} ${which} --if-present`
}
