import { chmod, stat } from 'node:fs/promises'
import { CliError } from '../exit-code.ts'

const OTHERS = 0o077

/**
 * Keeps others out of the data folder, which holds the token, prompts and sources. Returns a sentence if that needed a
 * change, else null. Throws `CliError` for another user's folder that lets others in: its owner could open it again at
 * any time.
 */
export async function keepOthersOut(folder: string, user: number | undefined): Promise<string | null> {
  const { mode, uid } = await stat(folder)
  const open = mode & OTHERS
  if (open === 0 || user === undefined) return null // Windows has no such bits
  const was = (mode & 0o777).toString(8).padStart(4, '0')
  if (uid !== user)
    throw new CliError(
      `others may enter the data folder ${folder} (mode ${was}), and it belongs to user ${uid}, not to you (${user}): whoever enters it can take the token and change what runs. Run "chown -R ${user} ${folder}" and "chmod 700 ${folder}", or choose another folder with --data.`,
    )
  await chmod(folder, 0o700)
  return `others could enter the data folder ${folder} (mode ${was}), which holds the token and the sources of your projects: it is closed to them now (0700)`
}
