/** The field of Docker's `info` about the programs that run containers, by their names. */
export type RuntimeInfo = { Runtimes?: Record<string, unknown> | null }

/** Docker since 23 finds containerd's runtimes by such a name on its own path, and lists only configured ones. */
const OF_CONTAINERD = /^io\.containerd\.[\w.-]+\.v\d+$/
const MOST_NAMED = 20

/**
 * Why containers cannot be run by the requested runtime, as a sentence; null: they can, or the engine does not list its
 * own. `engine`: "Docker 28.1".
 */
export function unknownRuntime(asked: string | null, { Runtimes }: RuntimeInfo, engine: string): string | null {
  if (asked === null || !Runtimes || Object.hasOwn(Runtimes, asked) || OF_CONTAINERD.test(asked)) return null
  const names = Object.keys(Runtimes).slice(0, MOST_NAMED).toSorted().join(', ') || 'none'
  const [file, key] = engine.startsWith('Podman')
    ? ['containers.conf', '[engine.runtimes]']
    : ['/etc/docker/daemon.json', '"runtimes"']
  return `${engine} has no runtime ${JSON.stringify(asked)}, so nothing starts there. It has: ${names}. Install it, name it under ${key} in ${file} of the engine's machine and restart the engine, or change "runtime" in config.json`
}
