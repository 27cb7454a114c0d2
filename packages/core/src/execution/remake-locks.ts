import { shellWord } from '../text/shell-word.ts'

/*
 * A tool writes lock files from files that people and agents write. If two changes of a lock file conflict, its lines
 * mean nothing, and the tool makes it anew.
 */

/**
 * `command` runs in the file's folder, with the work branch's version of the file and everything else merged. It keeps
 * the versions that are locked there, as far as its tool can, and runs no package's script. `beside`: other files that
 * the tool may write.
 */
type Remaking = { command: string; beside?: readonly string[] }

const remaking: Readonly<Record<string, Remaking>> = {
  'package-lock.json': { command: 'npm install --package-lock-only --ignore-scripts --no-audit --no-fund' },
  'npm-shrinkwrap.json': { command: 'npm install --package-lock-only --ignore-scripts --no-audit --no-fund' },
  'pnpm-lock.yaml': { command: 'pnpm install --lockfile-only --ignore-scripts --no-frozen-lockfile' },
  // Yarn 1 cannot do it without an installation; later versions have no `--ignore-scripts`.
  'yarn.lock': {
    command:
      'case "$(yarn --version)" in 1.*) yarn install --ignore-scripts --non-interactive;; *) YARN_ENABLE_IMMUTABLE_INSTALLS=false yarn install --mode=update-lockfile;; esac',
  },
  'bun.lock': { command: 'bun install --lockfile-only --ignore-scripts' },
  'uv.lock': { command: 'uv lock' },
  // Before 2.0 it updates everything unless told not to.
  'poetry.lock': { command: 'poetry lock --no-update 2> /dev/null || poetry lock' },
  'pdm.lock': { command: 'pdm lock --update-reuse' },
  'Cargo.lock': { command: 'cargo update --workspace' },
  'go.sum': { command: 'go mod tidy', beside: ['go.mod'] },
  'composer.lock': {
    command: 'composer update --minimal-changes --no-install --no-scripts --no-plugins --no-interaction',
  },
  'Gemfile.lock': { command: 'bundle lock' },
  'mix.lock': { command: 'mix deps.get' },
}

/** The names of files that their tools make anew. */
export const remadeNames: readonly string[] = Object.keys(remaking)

/** `command`: runs in the repository's root. `writes`: the files that it may change. */
export type Remade = { path: string; command: string; writes: readonly string[] }

/** The lock files among these paths, each with the command that makes it anew. */
export function remakingOf(paths: readonly string[]): Remade[] {
  return paths.flatMap((path) => {
    const at = path.lastIndexOf('/')
    const [folder, name] = [path.slice(0, Math.max(0, at)), path.slice(at + 1)]
    const found = Object.hasOwn(remaking, name) ? remaking[name] : undefined
    if (found === undefined) return []
    const { command, beside = [] } = found
    const inFolder = (file: string) => (folder === '' ? file : `${folder}/${file}`)
    return [
      {
        path,
        command: folder === '' ? command : `cd ${shellWord(folder)} && ${command}`,
        writes: [path, ...beside.map(inFolder)],
      },
    ]
  })
}
