import { stat } from 'node:fs/promises'
import { InvalidInput } from '@beadloom/core/records/ids.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { shellWord } from '@beadloom/core/text/shell-word.ts'
import { EngineError } from '../../ports/engine.ts'
import { signingProblem } from '../../hub/try-signing.ts'
import { HubError } from '../../ports/hub.ts'
import { StoreError } from '../../ports/store/errors.ts'
import { noRoom } from '../../process/disk-full.ts'
import { CannotListen } from '../../process/listen.ts'
import { UnusableFile, readPlainFile } from '../../process/plain-file.ts'
import { systemClock } from '../../process/clock.ts'
import type { Environment, ServerSettings } from '../../process/settings/settings.ts'
import { CliError } from '../exit-code.ts'
import { runningServer } from '../../health/server-file.ts'

/** The remedy for a server that did not start; null for our own bugs. */
export async function startProblem(error: unknown, { data }: ServerSettings): Promise<CliError | null> {
  if (error instanceof StoreError && error.kind === 'in-use') {
    const running = await runningServer(data).catch(() => null)
    return new CliError(
      `${error.message}${running ? `. It is running at ${running.url} (beadloom status --data ${shellWord(data)})` : ''}`,
    )
  }
  const known = [CannotListen, CliError, EngineError, HubError, InvalidInput, UnusableFile, StoreError]
  if (error instanceof Error && known.some((kind) => error instanceof kind)) return new CliError(error.message)
  const { code, path, message } = error as NodeJS.ErrnoException
  if (typeof code !== 'string' || typeof path !== 'string') return null
  if (code === 'ENOSPC') return new CliError(`${noRoom(data)}, or choose another data folder with --data.`)
  // The folder itself, what is in it, or one of the folders above it.
  if (!path.startsWith(data) && !data.startsWith(path)) return null
  return new CliError(
    `the data folder ${data} cannot be used (${message}). Choose another one with --data, or make it a folder you can write to.`,
  )
}

/** The problems with the files and folders that the settings name, one sentence each. */
export async function problemsWithFiles(
  { caBundle, scenarios, signing }: ServerSettings,
  env: Environment,
): Promise<string[]> {
  const problems: string[] = []
  const unsigned = signing === null ? null : await signingProblem(signing, env, systemClock)
  if (unsigned !== null) problems.push(`signing: ${unsigned}`)
  const folder = await stat(scenarios).catch(() => null)
  if (!folder?.isDirectory())
    problems.push(`--scenarios, BEADLOOM_SCENARIOS or "scenarios": there is no folder ${scenarios}`)
  if (caBundle === null) return problems
  try {
    const text = await readPlainFile(caBundle, MOST_BYTES)
    if (!text.includes('-----BEGIN CERTIFICATE-----'))
      problems.push(`${bundle}: ${caBundle} contains no PEM certificate`)
  } catch (error) {
    problems.push(`${bundle}: ${caBundle} cannot be read (${messageOf(error)})`)
  }
  return problems
}

/** A bundle of all public authorities has a quarter of a megabyte. */
const MOST_BYTES = 16 * 1024 * 1024
const bundle = '--ca-bundle, BEADLOOM_CA_BUNDLE or "caBundle"'
