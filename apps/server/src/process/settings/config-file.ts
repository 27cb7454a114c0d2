import { createHash } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '@beadloom/core/settings/config-error.ts'
import { UnusableFile, readPlainFile } from '../plain-file.ts'

const MOST_BYTES = 1024 * 1024

export const configFilePath = (data: string): string => join(data, 'config.json')

/** Null when there is none. Problems with the folder itself are reported when the server writes there. */
export async function readConfigFile(data: string): Promise<string | null> {
  const path = configFilePath(data)
  try {
    return await readPlainFile(path, MOST_BYTES)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    if (error instanceof UnusableFile) throw new ConfigError('configuration', [message])
    throw new ConfigError('configuration', [`${path} cannot be read: ${message}`])
  }
}

/** Replaces the file as a whole, readable only by its owner: a crash leaves the old file or the new one. */
export async function writeConfigFile(data: string, values: object): Promise<void> {
  const path = configFilePath(data)
  const part = `${path}.${process.pid}.part`
  try {
    const file = await open(part, 'w', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(values, null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** Identifies a content: a change says with it which version it was made from. */
export const revisionOf = (text: string | null): string =>
  text === null ? 'none' : createHash('sha256').update(text).digest('hex').slice(0, 16)
