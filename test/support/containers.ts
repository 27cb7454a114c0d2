import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * A server that stops leaves what runs to the next one; a test that failed half-way may have left an agent that never
 * ends. Call it when the server of this instance is gone for good.
 */
export function removeContainers(instance: string): void {
  const label = `label=beadloom.instance=${instance}`
  const left = execFileSync('docker', ['ps', '-aq', '--filter', label], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
  if (left.length > 0) execFileSync('docker', ['rm', '-f', ...left], { stdio: 'ignore' })
}

/** The container in which an execution's agent runs now, or null. */
export async function workContainer(execution: string): Promise<string | null> {
  const filters = [`label=beadloom.execution=${execution}`, 'label=beadloom.kind=work'].flatMap((one) => [
    '--filter',
    one,
  ])
  return (await docker(['ps', '-q', ...filters])).trim() || null
}

/** The command lines that run in it; empty as long as there is none. */
export async function processesOf(execution: string): Promise<string> {
  const container = await workContainer(execution)
  if (container === null) return ''
  return docker(['top', container, '-o', 'pid,args']).catch(async (error: unknown) => {
    if ((await workContainer(execution)) === container) throw error
    return '' // it ended in between
  })
}

/** Not synchronously: the server may be in this process, and would stand still meanwhile. */
const docker = async (args: string[]): Promise<string> => (await promisify(execFile)('docker', args)).stdout
