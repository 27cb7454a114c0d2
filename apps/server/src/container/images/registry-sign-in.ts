import { join } from 'node:path'
import { z } from 'zod/mini'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { EngineError } from '../../ports/engine.ts'
import { readPlainFile } from '../../process/plain-file.ts'
import { startProcess } from '../../process/start-process.ts'

const MOST_BYTES = 4 * 1024 * 1024

/** As Docker's API takes it beside a push; empty: nobody is signed in. */
export type SignIn = { username?: string; password?: string; identitytoken?: string; serveraddress?: string }

const Config = z.object({
  auths: z.optional(
    z.record(z.string(), z.object({ auth: z.optional(z.string()), identitytoken: z.optional(z.string()) })),
  ),
  credsStore: z.optional(z.string()),
  credHelpers: z.optional(z.record(z.string(), z.string())),
})

/**
 * Who `docker login` has signed in at this registry, in the folder of the docker command's settings: the daemon asks its
 * clients, and reads no file. Read with each push, and kept nowhere.
 */
export async function signInAt(folder: string | null, registry: string): Promise<SignIn> {
  const [host = ''] = registry.split('/')
  const config = folder === null ? null : await configIn(join(folder, 'config.json'))
  if (config === null) return {}
  const helper = config.credHelpers?.[host] ?? config.credsStore
  if (helper !== undefined) return (await fromHelper(helper, host)) ?? {}
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

/** A program beside the docker command that keeps what people sign in with. Null: it knows nobody there. */
function fromHelper(name: string, host: string): Promise<SignIn | null> {
  const program = `docker-credential-${name}`
  const child = startProcess(program, ['get'], {})
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (said = (said + text).slice(0, MOST_BYTES)))
  child.stderr.resume()
  child.stdin.end(host)
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(
        new EngineError('refused', `${program}, which Docker's settings name, could not be started: ${error.message}`),
      ),
    )
    child.once('close', (code) => {
      if (code !== 0) return resolve(null)
      const { Username, Secret } = JSON.parse(said) as { Username?: string; Secret?: string }
      resolve(
        Username === '<token>'
          ? { identitytoken: Secret ?? '', serveraddress: host }
          : { username: Username ?? '', password: Secret ?? '', serveraddress: host },
      )
    })
  })
}
