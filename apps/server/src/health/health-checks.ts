import { existsSync } from 'node:fs'
import { access, constants, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import type { Check } from '@beadloom/core/api/server/server-api.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import type { NamedEngine, WhichEngine } from '../container/engine-info.ts'
import { systemClock } from '../process/clock.ts'
import { shortOf } from '../process/start-process.ts'
import { builtFiles, isRelease } from '../process/own-files.ts'
import { LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import { runtimeOf, slotsSharing } from '../process/settings/engine-settings.ts'
import { keyVariables } from '../process/settings/model-settings.ts'
import type { Environment, ServerSettings } from '../process/settings/settings.ts'
import { nearestFolder } from '../process/data-folder.ts'
import { UserError } from '../process/user-error.ts'
import { findServer } from './server-file.ts'

/** The first version that can merge without a working tree (`merge-tree --write-tree`). */
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
      fix: isRelease
        ? 'install Beadloom again: a part of it is missing'
        : 'run npm start once in the checkout: it builds the agent and the dashboard',
    }
  }
  return { name: 'build', ok: true, text: 'the agent and the dashboard are built' }
}

export async function checkDocker(env: Environment, which: Omit<WhichEngine, 'other'> = {}): Promise<Check> {
  const { checkEngine } = await import('../container/engine-info.ts')
  const check = await checkEngine(env, which)
  if (check.ok) return check
  const fix =
    env['DOCKER_HOST'] || env['DOCKER_CONTEXT']
      ? 'start the engine that was chosen, or choose another one: DOCKER_HOST, DOCKER_CONTEXT, docker context use'
      : `run ${isRelease ? '"npx beadloom" without a command' : 'npm start in the checkout'}: it installs or starts Docker if it can, and otherwise prints the commands to run`
  return { ...check, fix }
}

export async function checkLimits(env: Environment, settings: ServerSettings, other?: NamedEngine): Promise<Check> {
  const { checkLimits: check } = await import('../container/limits/limits-check.ts')
  const { allowUnlimited } = settings
  const runtime = runtimeOf(other?.name ?? LOCAL_ENGINE, settings)
  return check({ env, allowUnlimited, runtime, ...(other && { dockerHost: other.dockerHost, named: other.name }) })
}

export async function checkImages(env: Environment): Promise<Check> {
  const { checkImages: check } = await import('../container/images/images-check.ts')
  return check({ env })
}

/** One line for each engine that `config.json` names. */
export function checkEngines(settings: ServerSettings, env: Environment): Promise<Check[]> {
  const checks = [...settings.engines].map(async ([name, how]): Promise<Check> => {
    if ('kubernetes' in how) {
      const { checkCluster } = await import('../container/kubernetes/cluster/check-engine.ts')
      return checkCluster(name, how.kubernetes, env)
    }
    const { checkEngine } = await import('../container/engine-info.ts')
    const slots = slotsSharing(name, settings) ?? undefined
    const other = { name, dockerHost: how.docker }
    const check = await checkEngine(env, { slots, other, runtime: runtimeOf(name, settings) })
    if (!check.ok) return check
    const limits = await checkLimits(env, settings, other)
    return { name, ok: limits.ok, text: `${check.text}; limits: ${limits.text}` }
  })
  return Promise.all(checks)
}

export async function checkGit(env: Environment): Promise<Check> {
  const { gitVersion } = await import('../hub/git/git-version.ts')
  let version: string | null
  try {
    version = await gitVersion(env)
  } catch (error) {
    return { name: 'git', ok: false, text: 'git could not be started', fix: shortOf(error) ?? messageOf(error) }
  }
  const fix = `install git ${GIT_NEEDED.join('.')} or later, for example: sudo apt-get install git`
  if (version === null) return { name: 'git', ok: false, text: 'git is not installed', fix }
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const ok = major > GIT_NEEDED[0] || (major === GIT_NEEDED[0] && minor >= GIT_NEEDED[1])
  return ok ? { name: 'git', ok, text: `git ${version}` } : { name: 'git', ok, text: `git ${version} is too old`, fix }
}

/** Checks which tracker keeps the beads of this folder, or which `bd` would. */
export async function checkTracker(
  folder: string,
  env: Environment,
  settings: Pick<ServerSettings, 'data' | 'trustedTrackers' | 'models'> | null,
): Promise<Check> {
  const { createTracker } = await import('../beads/find-tracker.ts')
  const { Versions } = await import('../beads/bd/bd-version.ts')
  const { secretVariables } = await import('../forge/secret-variables.ts')
  const own = settings !== null && existsSync(settings.data) ? settings.data : homedir()
  const keys = settings === null ? [] : keyVariables(settings.models)
  const secrets = secretVariables({ data: own, env }, keys)
  const at = { clock: systemClock, env, own, secrets }
  const { info } = await createTracker({ ...at, trusted: settings?.trustedTrackers ?? [] }).find(folder)
  if (info.fix !== undefined)
    return { name: 'tracker', ok: false, text: `here: ${info.text.replace(` ${info.fix}`, '')}`, fix: info.fix }
  if (info.kind !== 'none') return { name: 'tracker', ok: true, text: `here: ${info.text}` }
  const { bd } = await new Versions(at).known()
  const text =
    bd === null ? 'bd is not installed: beads are kept in .beads/issues.jsonl, which needs no program' : `bd ${bd}`
  return { name: 'tracker', ok: true, text }
}

/** Checks the nearest existing folder: a check must not create one. */
export async function checkData(data: string): Promise<Check> {
  try {
    const folder = await nearestFolder(data)
    await access(folder, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = await statfs(folder)
    const text = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GiB free in ${data}${folder === data ? '' : ' (will be created)'}`
    const ok = bavail * bsize >= DISK_NEEDED_BYTES
    return { name: 'data', ok, text, ...(ok ? {} : { fix: 'free some space: nothing starts below 2 GiB' }) }
  } catch (error) {
    const why = messageOf(error)
    return {
      name: 'data',
      ok: false,
      text: `${data} cannot be used: ${why}`,
      fix: 'choose another folder with --data, or make this one writable for your user',
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
    const which = model ? `, model ${model}` : '; name the model in each beadloom.json, or start with --model'
    return { name: 'model', ok: true, text: `set: ${known.join(', ')}${which}` }
  }
  return {
    name: 'model',
    ok: true,
    text: 'no key is set: only the demo (a recorded run, no AI) and agents that need no model can work',
    fix: 'for real work, set OPENAI_API_KEY (and OPENAI_BASE_URL for another provider) and restart the server',
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
    text: `${host}:${port} is not available (${problem})`,
    fix: 'choose another port with --port, or 0 for any free one',
  }
}

async function runningServer(data: string): Promise<string | null> {
  try {
    const { url } = await findServer(data)
    return (await fetch(new URL('/healthz', url))).ok ? url : null
  } catch (error) {
    if (error instanceof UserError || error instanceof TypeError) return null
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
