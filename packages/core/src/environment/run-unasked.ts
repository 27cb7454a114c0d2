import type { CommandClaim } from './found.ts'

/**
 * What a project's own files say runs without being written down, whether or not its toolchain can be had: the proof of the
 * base says what is missing before any agent starts. What only a CI does is proposed.
 */
export const runsUnasked = ({ family, confidence }: CommandClaim): boolean =>
  confidence !== 'hint' && family !== 'devcontainer' && family !== 'ci'

/** Families whose setup is worth it without tests: a build is a check, and what agents work with is there. */
const ALWAYS_SET_UP: ReadonlySet<CommandClaim['family']> = new Set<CommandClaim['family']>([
  'node',
  'python',
  'go',
  'rust',
])

/** Without the setup of what nothing tests: the gems of a page of documents must not keep a project from starting. */
export function usedUnasked(commands: readonly CommandClaim[]): CommandClaim[] {
  const unasked = commands.filter(runsUnasked)
  const tested = (claim: CommandClaim): boolean =>
    unasked.some(
      ({ purpose, family, folder }) => purpose === 'test' && family === claim.family && folder === claim.folder,
    )
  return unasked.filter((claim) => claim.purpose !== 'setup' || ALWAYS_SET_UP.has(claim.family) || tested(claim))
}
