import { access, constants, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { Check } from '@beadloom/core/api/api.ts'
import type { Environment, ServerSettings } from '../../process/settings.ts'
import { builtFiles } from '../server/checkout.ts'
import { nearestFolder } from '../server/data-folder.ts'
import { CliError, NoServer } from '../exit-code.ts'
import { findServer } from '../server/server-file.ts'

/** Merging on bare objects (`merge-tree --write-tree`) came with this one. */
const GIT_NEEDED = [2, 38] as const
/** Below this the server starts nothing. */
const DISK_NEEDED_BYTES = 2 * 1024 ** 3

export const checkNode = (): Check => ({ name: 'node', ok: true, text: `Node ${process.versions.node}` })

export async function checkBuilt(): Promise<Check> {
  for (const file of builtFiles) {
    if (await exists(file)) continue
    return {
      name: 'build',
      ok: false,
      text: `${file} is missing`,
      fix: 'run npm start once in the checkout: it builds the agent and the dashboard',
    }
  }
  return { name: 'build', ok: true, text: 'the agent and the dashboard are built' }
}

export async function checkDocker(host: string | null, certPath: string | null): Promise<Check> {
  const { checkEngine } = await import('../../container/engine-info.ts')
  const check = await checkEngine(host, certPath)
  return check.ok
    ? check
    : {
        ...check,
        fix: 'npm start in the checkout installs or starts Docker where it may, and else prints the commands to run',
      }
}

export async function checkGit(env: Environment): Promise<Check> {
  const { gitVersion } = await import('../../hub/git/git-version.ts')
  const version = await gitVersion(env)
  const fix = `install git ${GIT_NEEDED.join('.')} or later, as with: sudo apt-get install git`
  if (version === null) return { name: 'git', ok: false, text: 'git is not installed', fix }
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const ok = major > GIT_NEEDED[0] || (major === GIT_NEEDED[0] && minor >= GIT_NEEDED[1])
  return ok ? { name: 'git', ok, text: `git ${version}` } : { name: 'git', ok, text: `git ${version} is too old`, fix }
}

/** The folder, or the nearest one above it that is there: looking must not make it. */
export async function checkData(data: string): Promise<Check> {
  try {
    const folder = await nearestFolder(data)
    await access(folder, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = await statfs(folder)
    const text = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GiB free in ${data}${folder === data ? '' : ' (which will be made)'}`
    const ok = bavail * bsize >= DISK_NEEDED_BYTES
    return { name: 'data', ok, text, ...(ok ? {} : { fix: 'free some space: below 2 GiB nothing starts' }) }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return {
      name: 'data',
      ok: false,
      text: `${data} cannot be used: ${why}`,
      fix: 'choose another folder with --data, or give this user the right to write there',
    }
  }
}

export function checkModel({ models, model }: ServerSettings): Check {
  const { chat, responses, messages } = models.upstreams
  const known = [
    ...new Set([
      ...[chat, responses, messages].flatMap(({ apiKey, keyVariable }) => (apiKey === null ? [] : keyVariable)),
      ...(chat.baseUrl === null ? [] : ['OPENAI_BASE_URL']),
    ]),
  ]
  if (known.length > 0) {
    const which = model ? `, model ${model}` : '; each project names its model in beadloom.json, or start with --model'
    return { name: 'model', ok: true, text: `set: ${known.join(', ')}${which}` }
  }
  return {
    name: 'model',
    ok: true,
    text: 'no key is set: the demo runs (it replays a recorded scenario; no AI), and agents that need no model',
    fix: 'for real work set OPENAI_API_KEY (and OPENAI_BASE_URL for another provider), then start again',
  }
}

export async function checkPort({ host, port, data }: ServerSettings): Promise<Check> {
  const running = await runningServer(data)
  if (running !== null) return { name: 'port', ok: true, text: `a server is running: ${running}` }
  const problem = port === 0 ? null : await cannotListen(host, port)
  if (problem === null) return { name: 'port', ok: true, text: `${host}:${port} is free` }
  return {
    name: 'port',
    ok: false,
    text: `${host}:${port} cannot be used (${problem})`,
    fix: 'choose another one with --port, or 0 for any free one',
  }
}

async function runningServer(data: string): Promise<string | null> {
  try {
    const { url } = await findServer(data)
    return (await fetch(new URL('/healthz', url))).ok ? url : null
  } catch (error) {
    if (error instanceof NoServer || error instanceof CliError || error instanceof TypeError) return null
    throw error
  }
}

function cannotListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'EADDRINUSE' ? 'in use' : error.message),
    )
    probe.listen(port, host, () => probe.close(() => resolve(null)))
  })
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
