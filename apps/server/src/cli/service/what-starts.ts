import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root } from '../../process/own-files.ts'
import type { Environment } from '../../process/settings/settings.ts'
import { CliError } from '../exit-code.ts'
import type { UnitFacts } from './unit-file.ts'
import { isSafe } from './unit-words.ts'

/** Node and the program of the Beadloom that runs this command. */
export function ownProgram(): { node: string; bin: string } {
  // In a checkout the running path contains Node's version, and an update removes that folder.
  const lasting = join(root, 'node_modules', 'node', 'bin', 'node')
  return {
    node: existsSync(lasting) ? lasting : process.execPath,
    bin: join(root, 'apps', 'server', 'bin', 'beadloom.mjs'),
  }
}

/** Folders of runners that fetch a package to run it once (npx, pnpm dlx, yarn dlx, bunx), and clear it away later. */
const PASSING = /[\\/](?:_npx|dlx(?:-[^\\/]+)?|bunx-[^\\/]+)[\\/]/

/** Variables that a server reads, are not secret and may differ between terminals, besides Beadloom's own. */
const CARRIED = ['PATH', 'DOCKER_HOST', 'DOCKER_TLS_VERIFY', 'DOCKER_CONTEXT']
/** The same for paths; a relative path counts from where the command is run. */
const PATHS = [
  'DOCKER_CERT_PATH',
  'DOCKER_CONFIG',
  'COLIMA_HOME',
  'LIMA_HOME',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'BEADLOOM_CA_BUNDLE',
  'BEADLOOM_SCENARIOS',
]

/**
 * Variables that a server reads but that must not be in a unit, which everybody on the machine may read. Proxies have
 * passwords.
 */
const SECRET = /^(?:(?:OPENAI|ANTHROPIC)_\w+|(?:https?|all)_proxy|(?:GITHUB|GH|GITLAB|GITEA|FORGEJO|CODEBERG)_TOKEN)$/i

/** npm and npx put these folders in front for the one command that they run. */
const OF_NPM = /[\\/]node_modules[\\/](?:\.bin$|.*node-gyp-bin$)/

export type From = { env: Environment; cwd: string; isRoot: boolean }

/** All facts of the unit. Throws `CliError` for what a service could not start from. */
export function whatStarts(
  { node, bin }: { node: string; bin: string },
  data: string,
  environmentFile: string,
  { env, cwd, isRoot }: From,
): UnitFacts {
  if (PASSING.test(bin))
    throw new CliError(
      `this Beadloom runs from a folder that its package runner may clear at any time (${bin}). Install it where it stays, for example with "npm install --prefix ~/beadloom PACKAGE", and run "~/beadloom/node_modules/.bin/beadloom service install".`,
    )
  for (const path of [node, bin, data, environmentFile])
    if (!isSafe(path))
      throw new CliError(`${JSON.stringify(path)} has a control character in it, which no unit can name. Rename it.`)
  return { node, bin, data, environmentFile, variables: carried(env, cwd), isRoot }
}

function carried(env: Environment, cwd: string): Record<string, string> {
  const own = Object.keys(env).filter((name) => /^BEADLOOM_[A-Z_]+$/.test(name) && name !== 'BEADLOOM_DATA')
  const names = [...new Set([...CARRIED, ...PATHS, ...own.sort()])]
  const values = names.map((name) => [name, valueOf(name, env[name] ?? '', cwd)] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== '' && isSafe(value)))
}

function valueOf(name: string, value: string, cwd: string): string {
  if (PATHS.includes(name)) return value && resolve(cwd, value)
  if (name !== 'PATH') return value
  const folders = value.split(':').filter((folder) => folder.startsWith('/') && !OF_NPM.test(folder))
  return [...new Set(folders)].join(':')
}

/** The names of variables that are set here but will be missing there. */
export const leftOut = (env: Environment): string[] =>
  Object.keys(env)
    .filter((name) => env[name] && SECRET.test(name))
    .sort()
