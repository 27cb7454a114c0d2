import type { Manifest } from './manifest.ts'
import { runProgram, runScript, type PackageManager } from './package-manager.ts'
import { isForWorkspaces, isLinter } from './runners.ts'
import { scriptParts } from './script-parts.ts'

/*
 * Scripts of an installation may compile the package. Setup runs them before an agent starts: what it changes would be
 * tested as it was.
 */

const SCRIPTS = ['prepare', 'postinstall', 'install', 'prepublish']

const PROGRAM = String.raw`^(?:npx (?:--?\S{1,30} )*|pnpm (?:exec )?|yarn (?:run )?|bunx? |node (?:\./)?node_modules/\.bin/)?`
const COMPILERS = new RegExp(
  String.raw`${PROGRAM}(?:tsc|tsgo|tspc|ttsc|tsup|tsdown|rollup|rolldown|webpack|rspack|esbuild|swc|babel|unbuild|pkgroll|microbundle|bunchee|bob|tshy|parcel|obuild|zshy|(?:vite|ncc|tsdx|bun|rslib|father|kcd-scripts|aegir|ng) build)(?: |$)`,
)
const FOR_THEM = /^(?:(?:npx )?(?:rimraf|shx|del-cli|cpy|mkdirp|copyfiles) |(?:rm|mkdir|cp|mv|chmod|cat|echo) )/

const compiles = (line: string): boolean =>
  (COMPILERS.test(line) && !isLinter(line) && !/\s(?:-w|--watch)(?:\s|$)/.test(line)) ||
  (isForWorkspaces(line) && /\bbuild\b/.test(line))

/** The command that compiles the package again, with the script that does so in setup; null: none does, or more does. */
export function compiledBySetup(
  { scripts }: Manifest,
  manager: PackageManager,
): { script: string; command: string } | null {
  const linesOf = (name: string) => scriptParts(scripts, name).map(({ line }) => line)
  if (scripts.has('build') || ['pretest', 'test'].some((name) => linesOf(name).some(compiles))) return null
  const script = SCRIPTS.find((name) => linesOf(name).some(compiles))
  if (script === undefined) return null
  const parts = scriptParts(scripts, script)
  // Hooks of git and patches of packages belong to the installation.
  if (parts.every(({ line }) => compiles(line) || FOR_THEM.test(line)))
    return { script, command: runScript(manager, script) }
  const commands = parts
    .filter(({ line }) => compiles(line))
    .map((part) => (part.script === script ? runProgram(manager, part.line) : runScript(manager, part.script)))
  return { script, command: [...new Set(commands)].join(' && ') }
}
