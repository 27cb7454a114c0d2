import { execFileSync } from 'node:child_process'

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
