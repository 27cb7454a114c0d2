import { git, writeFiles, type Files } from './repository.ts'
import { commitAndPush, shellProject } from './shell-project.ts'
import type { World } from './world.ts'

const LOCK = 'package-lock.json'

/**
 * A project whose environment depends on a lock file: its setup copies that to `installed`.
 *
 * @param agent commands that its agent runs before it commits everything
 */
export function lockedProject(agent: string, config: object = {}): Files {
  return {
    ...shellProject({
      agent: `cat > /dev/null\n${agent}\n${commitAndPush('lo', 'Do it')}`,
      config: { setup: `cp ${LOCK} installed`, test: 'true', ...config },
    }),
    [LOCK]: 'first lock\n',
    '.gitignore': 'installed\nignored\n',
  }
}

/** Pushes another lock file, which says `second lock`: the project's environment changes. */
export function changeLock(world: World, remote: string): void {
  const clone = world.newFolder('lock-clone')
  git(clone, 'clone', '--quiet', remote, '.')
  writeFiles(clone, { [LOCK]: 'second lock\n' })
  git(clone, 'commit', '--quiet', '--all', '--message', 'Another dependency')
  git(clone, 'push', '--quiet')
}
