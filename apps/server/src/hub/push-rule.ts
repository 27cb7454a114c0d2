import { access, chmod, constants, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type HubAccess, HubError, type Pushable } from '../ports/hub.ts'
import { checkBranch, checkRef } from './clones/names.ts'

/*
 * The rule for a container's pushes, enforced twice: git itself refuses every ref that is hidden from it (so a missing
 * hook opens nothing), and the `update` hook knows the exact names. `pre-receive` only explains, in words for the
 * agent. The scripts lie in a folder of ours, never in a repository, and read the allowed names from the environment
 * alone.
 */

const PRE_RECEIVE = `#!/bin/sh
refs=0
while read -r _old new ref; do
  refs=$((refs + 1))
  if [ $refs -gt "$BEADLOOM_MOST" ]; then
    echo "Beadloom: nothing was taken. One push has at most $BEADLOOM_MOST refs."
    exit 1
  fi
  case "$ref" in
    "refs/heads/$BEADLOOM_BRANCH" | "$BEADLOOM_ONLY" | "$BEADLOOM_SAVES"?*)
      case "$new" in
        *[!0]*) ;;
        *) echo "Beadloom: $ref was not deleted. Nothing can be deleted here; push a commit that undoes the change instead." ;;
      esac ;;
    *) echo "Beadloom: $ref was refused. $BEADLOOM_HINT" ;;
  esac
done
exit 0
`

const UPDATE = `#!/bin/sh
isFull() {
  set -- $(git for-each-ref --count="$BEADLOOM_MOST" --format=one "$BEADLOOM_SAVES")
  [ $# -ge "$BEADLOOM_MOST" ]
}
case "$1" in
  "$BEADLOOM_SAVES"?*)
    case "$2" in
      *[!0]*) ;;
      *)
        if isFull; then
          echo "Beadloom: $1 was refused. An execution has at most $BEADLOOM_MOST refs of its own; push to one of them again."
          exit 1
        fi ;;
    esac ;;
esac
case "$1" in
  "refs/heads/$BEADLOOM_BRANCH" | "$BEADLOOM_ONLY" | "$BEADLOOM_SAVES"?*) ;;
  *) exit 1 ;;
esac
case "$3" in
  *[!0]*) exit 0 ;;
esac
exit 1
`

const scripts = { 'pre-receive': PRE_RECEIVE, update: UPDATE }

/** The refs on which an execution may save its leftovers. */
const savesOf = (execution: string): string => `refs/beadloom/${execution}/`

/** Writes the scripts, at every start of the server, so that they are this version's. */
export async function installPushRule(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const [name, text] of Object.entries(scripts)) {
    const next = join(folder, `.${name}.new`)
    await writeFile(next, text, { mode: 0o700 })
    await chmod(next, 0o700)
    await rename(next, join(folder, name))
  }
}

/** Git silently skips a hook that it cannot execute, so this is checked before every push. */
export async function checkPushRule(folder: string): Promise<void> {
  for (const name of Object.keys(scripts)) {
    await access(join(folder, name), constants.X_OK).catch((error: unknown) => {
      throw new HubError(
        'refused',
        `${join(folder, name)} cannot be executed, so nothing can be pushed: the data folder must not lie on a file system mounted with noexec`,
        { cause: error },
      )
    })
  }
}

/** Configuration and environment of one receive-pack. */
export function pushRule(
  access: HubAccess & { pushable: Pushable },
  folder: string,
  { pushBytes, refs: mostRefs }: { pushBytes: number; refs: number },
): { config: string[]; env: Record<string, string> } {
  const { refs, env } = allowedTo(access)
  return {
    config: [
      `core.hooksPath=${folder}`,
      'receive.hideRefs=refs',
      ...refs.map((ref) => `receive.hideRefs=!${ref}`),
      'receive.fsckObjects=true',
      'receive.denyNonFastForwards=true',
      'receive.denyDeletes=true',
      'receive.autogc=false',
      'receive.advertisePushOptions=false',
      `receive.maxInputSize=${pushBytes}`,
    ],
    env: { ...env, BEADLOOM_MOST: String(mostRefs) },
  }
}

/** No ref contains `//`, so it matches nothing. */
const NO_REF = '//'

function allowedTo({ pushable, execution }: HubAccess & { pushable: Pushable }): {
  refs: string[]
  env: Record<'BEADLOOM_BRANCH' | 'BEADLOOM_SAVES' | 'BEADLOOM_ONLY' | 'BEADLOOM_HINT', string>
} {
  if ('only' in pushable) {
    const only = checkRef(pushable.only)
    const hint = 'Nothing is pushed here: what you leave in the workspace is your result.'
    return {
      refs: [only],
      env: { BEADLOOM_BRANCH: NO_REF, BEADLOOM_SAVES: NO_REF, BEADLOOM_ONLY: only, BEADLOOM_HINT: hint },
    }
  }
  const branch = checkBranch(pushable.branch)
  const saves = execution === null ? null : savesOf(execution)
  const hint = `Here you can push only your own branch: git push origin HEAD:refs/heads/${branch}`
  return {
    refs: [`refs/heads/${branch}`, ...(saves === null ? [] : [saves.slice(0, -1)])],
    env: { BEADLOOM_BRANCH: branch, BEADLOOM_SAVES: saves ?? NO_REF, BEADLOOM_ONLY: NO_REF, BEADLOOM_HINT: hint },
  }
}

/** The refs that an execution does not see when it fetches: the remote's refs, our notes, and others' leftovers. */
export function hiddenFromFetch(access: HubAccess): string[] {
  const own = access.execution === null ? [] : [`!${savesOf(access.execution).slice(0, -1)}`]
  return ['refs/remotes', 'refs/hub', 'refs/beadloom', ...own].map((prefix) => `uploadpack.hideRefs=${prefix}`)
}
