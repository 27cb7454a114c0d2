import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../process/clock.ts'
import { request } from '../../process/node-http.ts'
import { within } from '../../process/within.ts'
import type { Answer, SocketSeen } from './choose-engine.ts'
import { EngineAgent } from './engine-agent.ts'
import { dial } from './dial.ts'
import type { Surroundings } from './surroundings.ts'
import { colimaFolders, usualSockets } from './usual-sockets.ts'

/** A socket that starts its engine on demand needs seconds; one that hangs should not hold up the others. */
const PING_MS = 5_000
/** Each costs a connection. */
const MOST_PROFILES = 20

/** Asks every usual socket that is there, in the order of preference. */
export const lookAround = async (around: Surroundings, clock: Clock): Promise<SocketSeen[]> =>
  lookAt(usualSockets(around, await colimaProfiles(around)), clock)

/** Asks these sockets. */
export async function lookAt(paths: readonly string[], clock: Clock): Promise<SocketSeen[]> {
  const seen = await Promise.all(paths.map((path) => lookAtOne(path, clock)))
  const there = seen.filter((one) => one !== null)
  return there.map(({ path, leadsTo, answer }, at) => ({
    path,
    sameAs: there.slice(0, at).find((other) => other.leadsTo === leadsTo)?.path ?? null,
    answer,
  }))
}

/** Lists "default" first, like colima itself. */
async function colimaProfiles(around: Surroundings): Promise<string[]> {
  for (const folder of colimaFolders(around)) {
    const names = await readdir(folder).catch(() => null)
    if (names === null) continue
    const profiles = names
      .filter((name) => /^[a-zA-Z0-9]/.test(name))
      .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    return profiles.slice(0, MOST_PROFILES).map((name) => join(folder, name))
  }
  return []
}

const rank = (profile: string): number => (profile === 'default' ? 0 : 1)

async function lookAtOne(
  path: string,
  clock: Clock,
): Promise<{ path: string; leadsTo: string; answer: Answer } | null> {
  try {
    const leadsTo = await realpath(path)
    return { path, leadsTo, answer: await ping(path, clock) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'EACCES' ? { path, leadsTo: path, answer: 'no permission' } : null
  }
}

/** Whether a container engine answers there. Never rejects. */
function ping(path: string, clock: Clock): Promise<Answer> {
  const agent = new EngineAgent(() => dial({ kind: 'unix', path }, {}))
  return new Promise((resolve) => {
    const asked = request({ path: '/_ping', agent }, (answer) => {
      const isEngine = answer.statusCode === 200 && answer.headers['api-version'] !== undefined
      resolve(isEngine ? 'answers' : 'is no container engine')
      asked.destroy()
    })
    const closed = new Promise<void>((done) => asked.on('close', done))
    void within(
      clock,
      PING_MS,
      () => asked.destroy(),
      () => closed,
    )
    asked.on('error', ({ code = '' }: NodeJS.ErrnoException) =>
      resolve(
        ['EACCES', 'EPERM'].includes(code)
          ? 'no permission'
          : code.startsWith('HPE_')
            ? 'is no container engine'
            : 'does not answer',
      ),
    )
    asked.end()
  })
}
