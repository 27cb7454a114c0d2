import { readFileSync } from 'node:fs'

/** Version 2 of control groups, then version 1; a container sees its own group at the root. */
const places = ['/sys/fs/cgroup/memory.events', '/sys/fs/cgroup/memory/memory.oom_control']

/**
 * The number of this container's processes that the kernel has killed because memory ran out; null if that cannot be
 * read.
 */
export function memoryKills(paths: readonly string[] = places): number | null {
  for (const path of paths) {
    try {
      const found = /^oom_kill (\d+)$/m.exec(readFileSync(path, 'utf8'))
      if (found) return Number(found[1])
    } catch {
      // the other version, or a machine that has neither
    }
  }
  return null
}
