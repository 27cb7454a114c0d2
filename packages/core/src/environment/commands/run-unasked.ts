import type { CommandClaim } from '../found.ts'

/**
 * Whether a command from the project's own files runs without being written down. Its toolchain does not matter: the
 * proof of the base says what is missing before any agent starts. Commands of only a CI are proposed.
 */
export const runsUnasked = ({ family, confidence }: CommandClaim): boolean =>
  confidence !== 'hint' && family !== 'devcontainer' && family !== 'ci'

/** Families that are set up even without tests: builds are checks, and agents need the dependencies. */
const ALWAYS_SET_UP: ReadonlySet<CommandClaim['family']> = new Set<CommandClaim['family']>([
  'node',
  'python',
  'go',
  'rust',
])

/** Leaves out setups that nothing tests: the gems of a page of documents must not keep a project from starting. */
export function usedUnasked(commands: readonly CommandClaim[]): CommandClaim[] {
  const unasked = commands.filter(runsUnasked)
  const tested = (claim: CommandClaim): boolean =>
    unasked.some(
      ({ purpose, family, folder }) => purpose === 'test' && family === claim.family && folder === claim.folder,
    )
  return unasked.filter((claim) => claim.purpose !== 'setup' || ALWAYS_SET_UP.has(claim.family) || tested(claim))
}
