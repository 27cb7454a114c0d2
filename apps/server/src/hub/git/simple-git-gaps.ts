import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { createRequire } from 'node:module'
import type { SimpleGit } from 'simple-git'

/*
 * Needs of ours for which simple-git 4.0.2 has no option; docs/decisions/0002 lists the other attempts. Nothing else
 * reaches into it. Both parts have tests, and its version is pinned: look here first when you raise it.
 */

/** simple-git's own list of plugins. Its option `spawnOptions` passes `uid` and `gid` on and drops the rest. */
type Plugins = {
  append(type: 'spawn.options', action: (options: SpawnOptions) => SpawnOptions): void
  append(type: 'spawn.after', action: (nothing: undefined, started: { spawned: ChildProcess }) => void): void
}

/** Every process starts in a group of its own, with no terminal that ssh could ask on, and is handed to `started`. */
export function inOwnGroup(git: SimpleGit, started: (child: ChildProcess) => void): SimpleGit {
  const { _plugins: plugins } = git as SimpleGit & { _plugins?: Partial<Plugins> }
  if (typeof plugins?.append !== 'function') throw new Error('this version of simple-git keeps its plugins elsewhere')
  plugins.append('spawn.options', (options: SpawnOptions) => ({ ...options, detached: true }))
  plugins.append('spawn.after', (_, { spawned }: { spawned: ChildProcess }) => started(spawned))
  return git
}

type Debug = { enable(namespaces: string): void; disable(): string }

/**
 * With DEBUG=* in the server's environment, simple-git prints the environment of every call, including a remote's
 * password, and all of git's output, raw. This takes simple-git alone off the list of printers.
 */
export function silenceSimpleGit(): void {
  const ours = createRequire(import.meta.url)
  const debug = createRequire(ours.resolve('simple-git'))('debug') as Debug
  const wanted = debug.disable()
  if (wanted !== '') debug.enable(`${wanted},-simple-git,-simple-git:*`)
}
