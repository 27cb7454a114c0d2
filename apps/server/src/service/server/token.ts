import { chmod, writeFile } from 'node:fs/promises'
import { readPlainFile } from '../../process/plain-file.ts'

const MOST_BYTES = 4096

/**
 * The access token of this data folder: created once, readable only by its owner. Whoever can read it can do everything
 * the dashboard can.
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
  const token = randomBytes(32).toString('base64url')
  await writeFile(file, `${token}\n`, { mode: 0o600 })
  await chmod(file, 0o600) // writeFile applies its mode only to new files
  return token
}
