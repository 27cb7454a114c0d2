import { constants } from 'node:fs'
import { access, mkdir, realpath, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Env } from '../commands/run-command.ts'

/**
 * Commands that only look. All others are refused in the workspace's own repository, and only there: tests make other
 * repositories.
 */
const READING = [
  'annotate archive blame cat-file check-attr check-ignore check-mailmap cherry count-objects describe diff diff-files',
  'diff-index diff-tree for-each-ref for-each-repo grep help log ls-files ls-tree merge-base merge-tree name-rev range-diff',
  'rev-list rev-parse shortlog show show-branch show-ref status var verify-commit version whatchanged init clone',
]
  .join(' ')
  .replaceAll(' ', '|')

/** A shell script, as the container may have no Node in its path. */
const SCRIPT = `#!/bin/sh
# Sub-agents look at the repository and change nothing in it: the agent that asked them does that.
dir=. ; gitdir= ; sub= ; take=
for word in "$@"; do
  case $take in
    dir) dir="$dir/$word"; case $word in /*) dir=$word ;; esac; take=; continue ;;
    gitdir) gitdir=$word; take=; continue ;;
    any) take=; continue ;;
  esac
  case $word in
    -C) take=dir ;;
    --git-dir) take=gitdir ;;
    --git-dir=*) gitdir=\${word#--git-dir=} ;;
    -c|--work-tree|--namespace|--config-env|--super-prefix) take=any ;;
    -*) ;;
    *) sub=$word; break ;;
  esac
done
case $sub in
  ''|${READING}) exec "$BEADLOOM_GIT" "$@" ;;
esac
if [ -n "$gitdir" ]; then
  repository=$(cd "$dir" 2>/dev/null && cd "$gitdir" 2>/dev/null && pwd -P)
else
  repository=$(cd "$dir" 2>/dev/null && "$BEADLOOM_GIT" rev-parse --absolute-git-dir 2>/dev/null)
  repository=$(cd "$repository" 2>/dev/null && pwd -P)
fi
if [ "$repository" = "$BEADLOOM_GUARDED" ]; then
  echo "git $sub is not for sub-agents: leave your changes in the files, where the agent that asked you finds them" >&2
  exit 128
fi
exec "$BEADLOOM_GIT" "$@"
`

/**
 * The environment of a sub-agent's commands: its `git` only looks at the workspace's repository, and none of its
 * commands reaches the hub. A determined one can work around both; its changes are then undone afterwards
 * (`child-git.ts`).
 */
export async function guardedEnv(env: Env, workspace: string, folder: string): Promise<Env> {
  const real = await findGit(env)
  const repository = await realpath(join(workspace, '.git')).catch(() => null)
  // Pushes use http; clones of local repositories belong to tests.
  const reach = { GIT_ALLOW_PROTOCOL: 'file' }
  if (real === null || repository === null) return { ...env, ...reach }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, 'git'), SCRIPT, { mode: 0o700 })
  const path = [folder, env['PATH']].filter(Boolean).join(delimiter)
  return { ...env, ...reach, PATH: path, BEADLOOM_GIT: real, BEADLOOM_GUARDED: repository }
}

async function findGit(env: Env): Promise<string | null> {
  for (const folder of (env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    const file = join(folder, 'git')
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file
  }
  return null
}
