import { InvalidInput } from '@beadloom/core/ids.ts'
import { EngineError } from '../../ports/engine.ts'
import { HubError } from '../../ports/hub.ts'
import { StoreError } from '../../ports/store/errors.ts'
import { CannotListen } from '../../process/listen.ts'
import type { ServerSettings } from '../../process/settings.ts'
import { CliError } from '../exit-code.ts'
import { findServer } from './server-file.ts'

/** What a person can do about a server that did not start; null for what only we can mend. */
export async function startProblem(error: unknown, { data }: ServerSettings): Promise<CliError | null> {
  if (error instanceof StoreError && error.kind === 'in-use') {
    const running = await findServer(data).catch(() => null)
    return new CliError(
      `${error.message}${running ? `. It is at ${running.url} (beadloom status --data ${quoted(data)})` : ''}`,
    )
  }
  const known = [CannotListen, EngineError, HubError, InvalidInput, StoreError]
  if (error instanceof Error && known.some((kind) => error instanceof kind)) return new CliError(error.message)
  const { code, path, message } = error as NodeJS.ErrnoException
  if (typeof code !== 'string' || typeof path !== 'string') return null
  if (code === 'ENOSPC')
    return new CliError(`the disk of ${data} is full: make room, or choose another data folder with --data.`)
  // The folder itself, what is in it, or one of the folders above it.
  if (!path.startsWith(data) && !data.startsWith(path)) return null
  return new CliError(
    `the data folder ${data} cannot be used (${message}). Choose another one with --data, or make this one a folder that you may write in.`,
  )
}

const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
