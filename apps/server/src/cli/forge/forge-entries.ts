import { changeForgeFile, forgeFilePath, readForgeFile } from '../../forge/forge-file.ts'
import { allForges, type Forge } from '../../forge/forge-settings.ts'
import { ForgeError } from '../../ports/forge.ts'
import { systemClock } from '../../process/clock.ts'
import type { Environment } from '../../process/settings/settings.ts'
import { CliError } from '../exit-code.ts'
import { makeFolder } from '../../process/data-folder.ts'

type Entries = ReturnType<typeof readForgeFile>

export const entriesOf = (data: string): Entries => known(() => readForgeFile(data))

export async function changeEntries(data: string, edit: (entries: Entries) => Entries): Promise<void> {
  try {
    await makeFolder(data)
    await changeForgeFile(data, systemClock, edit)
  } catch (error) {
    if (error instanceof ForgeError) throw new CliError(error.message)
    const { code, message } = error as NodeJS.ErrnoException
    if (typeof code !== 'string') throw error
    throw new CliError(`${forgeFilePath(data)} cannot be written (${message}): nothing was changed.`)
  }
}

/** Every known forge, with the source of its token. */
export const forgesOf = (data: string, env: Environment): Forge[] => known(() => allForges({ data, env }))

export function forgeIn(data: string, host: string, env: Environment): Forge {
  const found = forgesOf(data, env).find((one) => one.host === host)
  if (!found) throw new Error(`${host} was written and is not there`)
  return found
}

/** Turns the error of a broken token file into a sentence, because a person has to fix it. */
function known<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof ForgeError ? new CliError(error.message) : error
  }
}
