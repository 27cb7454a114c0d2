import { constants } from 'node:fs'
import { chmod, open } from 'node:fs/promises'
import { readPlainFile, UnusableFile } from '../../process/plain-file.ts'

const MOST_BYTES = 4096

/**
 * The access token of this data folder: created once, readable only by its owner. Anybody who can read it can do
 * everything the dashboard can. Throws `UnusableFile` if something else has its place.
 */
export async function ensureToken(file: string, randomBytes: (count: number) => Buffer): Promise<string> {
  const known = await readPlainFile(file, MOST_BYTES).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  if (/^[A-Za-z0-9_-]{43,}$/.test(known.trim())) {
    await chmod(file, 0o600)
    return known.trim()
  }
  if (known.trim() !== '')
    throw new UnusableFile(
      `${file} holds something that is no access token, so nothing was written there. Remove it, and the next start makes a new token`,
    )
  const token = randomBytes(32).toString('base64url')
  // Never through a link: its target is somebody else's file.
  const made = await open(
    file,
    constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW,
    0o600,
  ).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ELOOP') throw error
    throw new UnusableFile(
      `${file} is a link to something that is not there. Remove it, and the next start makes a new token`,
    )
  })
  try {
    await made.chmod(0o600) // the mode above is for new files only
    await made.writeFile(`${token}\n`)
  } finally {
    await made.close()
  }
  return token
}
