import { existsSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const server = dirname(dirname(fileURLToPath(import.meta.url)))
export const root = dirname(dirname(server))
const source = join(server, 'src')

/** The files of the built server. */
const sourcesOfServer = [source, join(root, 'packages', 'core', 'src')]

/** A release is what `npm pack` makes of a checkout (scripts/pack.mjs): built, without sources. */
export const isRelease = !existsSync(join(source, 'cli', 'main.ts'))

/**
 * Node 24, whatever started us: in a checkout the package `node` brings it, in a release the package for this machine
 * alone, which needs no script to be installed. A release makes do with the Node that runs us, if it is a 24. Null: there
 * is none (yet: who sets up asks again).
 */
export function node24() {
  return nodeOf(isRelease ? `node-${process.platform}-${process.arch}` : 'node') ?? ownNode()
}

const ownNode = () => (isRelease && process.versions.node.startsWith('24.') ? process.execPath : null)

function nodeOf(name) {
  try {
    const file = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin', 'node')
    return existsSync(file) ? file : null
  } catch {
    return null
  }
}

const flags = [
  '--max-semi-space-size=2',
  '--heap-growing-percent=50',
  '--external-memory-accounted-in-global-limit',
  '--expose-gc',
  '--import',
  new URL('leave-out.mjs', import.meta.url).href,
]

/**
 * The start of Beadloom's command line, for everybody who starts it. All settings are there for memory, measured with
 * `npm run bench -- --only memory`:
 *
 * - A server is one file, if it has been built since its sources last changed: 20 MB.
 * - The compile cache keeps compiled sources, with their types stripped. Without it Node loads a TypeScript parser into
 *   every process, which stays there: 25 MB. If the folder cannot be written, Node does without it.
 * - The young generation of the heap grows to 3 x 16 MB by default, and never shrinks in an idle server.
 * - The old generation is collected when it is half as large again as its last live content, not four times as large:
 *   three executions need 149 MB instead of 222. With a fifth they need no less, and output costs half as much again.
 * - Buffers count for the same limit. Otherwise V8 scans the whole heap again for each few dozen megabytes that went
 *   through them, which took half of the processor's time in a flood of output.
 * - glibc gives each of a dozen threads an arena of its own, and gives none of them back.
 * - With `--expose-gc` a server that has nothing to do gives back what it no longer needs: 6 MB.
 * - `leave-out.mjs`: parts of packages that are loaded but never used.
 */
export function serverCommand(args, env) {
  return nodeCommand([args[0] === 'start' ? serverFile() : cliFile, ...args], env)
}

/** Loads all of the server and of its command line and ends: Node keeps what it has compiled. */
export function compileCommands(env) {
  return [serverFile(), cliFile].map((file) => nodeCommand([file, '--version'], env))
}

const cliFile = isRelease ? join(server, 'dist', 'cli.mjs') : join(source, 'cli', 'main.ts')

/** The server as it was built, or its sources if they are newer: who changes them sees the change. */
function serverFile() {
  const built = join(server, 'dist', 'server.mjs')
  const since = changedAt(built)
  const isNewer = (file) => changedAt(file) > since
  return sourcesOfServer.some((folder) => filesIn(folder).some(isNewer)) ? join(source, 'cli', 'server-main.ts') : built
}

const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -1

const filesIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
        .map(({ parentPath, name }) => join(parentPath, name))
    : []

/** With the settings that a server has. */
export function nodeCommand(args, env) {
  const ofUser = env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const cache = isRelease ? join(ofUser, 'beadloom', 'node') : join(root, 'node_modules', '.cache', 'beadloom-node')
  return {
    command: node24(),
    args: [...flags, ...args],
    env: { NODE_COMPILE_CACHE: cache, MALLOC_ARENA_MAX: '1', ...env },
  }
}
