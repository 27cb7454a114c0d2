import { spawn } from 'node:child_process'

const MOST_CHARACTERS = 1000

/** Runs a program to its end. If its exit code is not 0, rejects with the end of its output. */
export function runQuietly(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr?.on('data', (bytes: Buffer) => (said = (said + bytes.toString()).slice(-MOST_CHARACTERS)))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(`${program} ended with ${signal ?? code}: ${said.trim()}`))
    })
  })
}
