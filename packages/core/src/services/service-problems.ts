import { commandWords } from './command-words.ts'
import { readOptions } from './health-options.ts'
import type { Services } from './service-schema.ts'

/** Problems of services that are valid key by key. */
export function serviceProblems(services: Services): string[] {
  const problems: string[] = []
  const names = new Set<string>()
  for (const [name, { command, options, health }] of Object.entries(services)) {
    const at = `"services.${name}`
    if (names.has(name.toLowerCase())) problems.push(`${at}": host names differ by more than upper and lower case`)
    names.add(name.toLowerCase())
    if (typeof command === 'string' && !commandWords(command)?.length)
      problems.push(`${at}.command" is no command line that can be split into words`)
    if (options === undefined) continue
    const read = readOptions(options)
    if (read.unknown.length > 0)
      problems.push(
        `${at}.options" can say how the service's health is asked for (--health-cmd), and nothing else: ${read.unknown.slice(0, 5).join(', ')} is not passed on. What a service may use is said by "cpus", "memoryMb" and "processes"; no service gets a folder, a port or a right of the machine`,
      )
    if (read.health !== null && health !== undefined) problems.push(`${at}": give "health" or --health-cmd, not both`)
  }
  return problems
}
