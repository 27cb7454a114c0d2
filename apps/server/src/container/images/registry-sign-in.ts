import { join } from 'node:path'
import { z } from 'zod/mini'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { EngineError } from '../../ports/engine.ts'
import type { Clock } from '../../process/clock.ts'
import { readPlainFile } from '../../process/plain-file.ts'
import { startProcess } from '../../process/start-process.ts'
import { within } from '../../process/within.ts'

const MOST_BYTES = 4 * 1024 * 1024
const HELPER_MS = 30_000

/** In the form of Docker's API for a push; empty: nobody is signed in. */
export type SignIn = { username?: string; password?: string; identitytoken?: string; serveraddress?: string }

const Config = z.object({
  auths: z.optional(
    z.record(z.string(), z.object({ auth: z.optional(z.string()), identitytoken: z.optional(z.string()) })),
  ),
  credsStore: z.optional(z.string()),
  credHelpers: z.optional(z.record(z.string(), z.string())),
})

/**
 * The sign-in of `docker login` at this registry, from the folder of the docker command's settings: the daemon gets it
 * from its clients, and reads no file. It is read with each push, and kept nowhere.
 */
export async function signInAt(folder: string | null, registry: string, clock: Clock): Promise<SignIn> {
  const [host = ''] = registry.split('/')
  const config = folder === null ? null : await configIn(join(folder, 'config.json'))
  if (config === null) return {}
  const helper = config.credHelpers?.[host] ?? config.credsStore
  if (helper !== undefined) return (await fromHelper(helper, host, clock)) ?? {}
  const entry = config.auths?.[host] ?? config.auths?.[`https://${host}`] ?? config.auths?.[`https://${host}/v2/`]
  if (entry === undefined) return {}
  if (entry.identitytoken) return { identitytoken: entry.identitytoken, serveraddress: host }
  const [username = '', ...rest] = Buffer.from(entry.auth ?? '', 'base64')
    .toString()
    .split(':')
  return { username, password: rest.join(':'), serveraddress: host }
}

async function configIn(file: string): Promise<z.infer<typeof Config> | null> {
  try {
    return Config.parse(JSON.parse(await readPlainFile(file, MOST_BYTES)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new EngineError('refused', `${file} cannot be read: ${messageOf(error)}`, { cause: error })
  }
}

const Kept = z.object({ Username: z.string(), Secret: z.string() })

/** Asks a program of the docker command that keeps credentials. Null: it has none for the host. */
async function fromHelper(name: string, host: string, clock: Clock): Promise<SignIn | null> {
  const program = `docker-credential-${name}`
  const refused = (why: string) => new EngineError('refused', `${program}, which Docker's settings name, ${why}`)
  const child = startProcess(program, ['get'], {})
  const parts: Buffer[] = []
  let length = 0
  child.stdout.on('data', (part: Buffer) => {
    length += part.length
    if (length <= MOST_BYTES) parts.push(part)
  })
  child.stderr.resume()
  child.stdin.end(host)
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(refused(`could not be started: ${error.message}`)))
    child.once('close', resolve)
  })
  // A program that asks a person for a password would wait for ever here.
  const code = await within(
    clock,
    HELPER_MS,
    () => child.kill('SIGKILL'),
    () => ended,
  )
  if (code === null) throw refused(`did not answer within ${HELPER_MS / 1000} s`)
  if (code !== 0) return null
  const kept = Kept.safeParse(parsed(Buffer.concat(parts).toString()))
  if (!kept.success) throw refused('gave an answer that cannot be read')
  const { Username: username, Secret: secret } = kept.data
  return username === '<token>'
    ? { identitytoken: secret, serveraddress: host }
    : { username, password: secret, serveraddress: host }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // its output may be secret, so none of it is repeated
  }
}
