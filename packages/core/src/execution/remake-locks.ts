import { shellWord } from '../text/shell-word.ts'

/*
 * Lock files are written by a tool from what people and agents wrote: where two changes of one conflict, its lines say
 * nothing, and the tool makes it anew.
 */

/**
 * `command` runs in the file's folder, which has the file as the work branch has it and all else merged. It keeps the
 * versions that are locked there, as far as its tool can, and runs no script of a package. `beside`: what its tool may
 * write too.
 */
type Remaking = { command: string; beside?: readonly string[] }

const remaking: Readonly<Record<string, Remaking>> = {
  'package-lock.json': { command: 'npm install --package-lock-only --ignore-scripts --no-audit --no-fund' },
  'npm-shrinkwrap.json': { command: 'npm install --package-lock-only --ignore-scripts --no-audit --no-fund' },
  'pnpm-lock.yaml': { command: 'pnpm install --lockfile-only --ignore-scripts --no-frozen-lockfile' },
  // The first Yarn knows no way without an installation; the later ones know no `--ignore-scripts`.
  'yarn.lock': {
    command:
      'case "$(yarn --version)" in 1.*) yarn install --ignore-scripts --non-interactive;; *) YARN_ENABLE_IMMUTABLE_INSTALLS=false yarn install --mode=update-lockfile;; esac',
  },
  'bun.lock': { command: 'bun install --lockfile-only --ignore-scripts' },
  'uv.lock': { command: 'uv lock' },
  // Before 2.0 it would bring everything up to date without being told not to.
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

/** `command`: from the repository's root. `writes`: what it may change. */
export type Remade = { path: string; command: string; writes: readonly string[] }

/** Finds the lock files among these paths, each with the command that makes it anew. */
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
