import { createRequire } from 'node:module'
import { access } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EngineError } from '../ports/engine.ts'

/**
 * Finds a Linux Node 24 that containers can run: the `node` package's binary (a dependency of the root), else the one
 * that runs us. Throws `EngineError('image-build-failed')` with what to do.
 */
export async function findNodeBinary(running: {
  execPath: string
  version: string
  platform: string
}): Promise<string> {
  if (running.platform === 'linux') {
    const packaged = await fromPackage()
    if (packaged) return packaged
    if (running.version.startsWith('v24.')) return running.execPath
  }
  throw new EngineError(
    'image-build-failed',
    `containers need Node 24 for Linux, but this is Node ${running.version} on ${running.platform}: run "npm start" in a checkout on Linux, which installs it`,
  )
}

async function fromPackage(): Promise<string | null> {
  try {
    const path = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node')
    await access(path)
    return path
  } catch {
    return null
  }
}
