import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { EngineError } from '../../ports/engine.ts'
import { readPlainFile } from '../../process/plain-file.ts'
import { type EngineAddress, parseAddress, pemFiles, type Tls } from './address.ts'
import type { Surroundings } from './surroundings.ts'

/** Docker's own name for "no context": `DOCKER_HOST`, else its usual socket. It is kept in no file. */
export const DEFAULT_CONTEXT = 'default'

const MOST_BYTES = 4 * 1024 * 1024
/** The check of `docker context create`. */
const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.+-]+$/

/** The folder of the docker command's settings; null: unknown. */
export function configFolder({ env }: Surroundings): string | null {
  return env['DOCKER_CONFIG'] || (env['HOME'] ? join(env['HOME'], '.docker') : null)
}

/** The choice of `docker context use`; null: none. `problem`: the file is there and cannot be understood. */
export async function currentContext(folder: string): Promise<{ name: string | null; problem: string | null }> {
  const file = join(folder, 'config.json')
  try {
    const { currentContext: name } = (JSON.parse(await readPlainFile(file, MOST_BYTES)) ?? {}) as Record<
      string,
      unknown
    >
    return { name: typeof name === 'string' && name !== '' ? name : null, problem: null }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { name: null, problem: null }
    return { name: null, problem: `${file} is not used: ${messageOf(error)}` }
  }
}

export type ContextEndpoint = { address: EngineAddress } | { problem: string }

/** Reads the engine of a docker context, in the form that `docker context create` writes. */
export async function readContext(folder: string, name: string): Promise<ContextEndpoint> {
  const said = `the docker context ${JSON.stringify(name)}`
  if (!NAME.test(name)) return { problem: `${said} does not exist: no context can have that name` }
  const id = createHash('sha256').update(name).digest('hex')
  const file = join(folder, 'contexts', 'meta', id, 'meta.json')
  try {
    const meta = JSON.parse(await readPlainFile(file, MOST_BYTES)) as Meta
    const { Host, SkipTLSVerify } = meta.Endpoints?.docker ?? {}
    if (typeof Host !== 'string' || Host === '') return { problem: `${said} names no engine (${file})` }
    const tls = await tlsOf(join(folder, 'contexts', 'tls', id, 'docker'), SkipTLSVerify === true)
    return { address: parseAddress(Host, said, tls) }
  } catch (error) {
    if (error instanceof EngineError) return { problem: error.message }
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { problem: `${said} does not exist (${file})` }
    return { problem: `${said} cannot be read: ${messageOf(error)}` }
  }
}

type Meta = { Endpoints?: { docker?: { Host?: unknown; SkipTLSVerify?: unknown } } }

async function tlsOf(folder: string, skipVerify: boolean): Promise<Tls | null> {
  const there: string[] = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const needed = pemFiles.filter((file) => there.includes(file))
  return needed.length > 0 || skipVerify ? { folder, needed, verify: !skipVerify } : null
}
