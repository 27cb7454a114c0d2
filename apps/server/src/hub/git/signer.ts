import { join } from 'node:path'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import type { Signing } from '../../process/settings/signing-settings.ts'
import type { GitCall } from './git-call.ts'

/** Nobody is there to be asked for a passphrase; an agent that has the key answers at once. */
export const SIGN_TIMEOUT_MS = 30_000
const MOST_SAID = 300

/**
 * How a call of git that makes a commit signs it: `args` come after the command's name. `whyNot`: what to do where that
 * failed, from what git said.
 */
export type Signer = Required<Pick<GitCall, 'args' | 'config' | 'env'>> & { whyNot: (said: string) => string }

/**
 * The key is named in this call alone: by the command line, so that no file of a repository has a say in it. The programs
 * are those of the server's own search path.
 */
export function signerOf(signing: Signing, person: Readonly<Record<string, string | undefined>>): Signer {
  const { format, key } = signing
  const { HOME: home, GNUPGHOME: keyring, SSH_AUTH_SOCK: agent } = person
  const common = { args: ['--gpg-sign'], whyNot: (said: string) => whyNot(signing, said) }
  const config = [`gpg.format=${format}`, `user.signingKey=${key}`]
  if (format === 'ssh')
    return {
      ...common,
      config: [...config, 'gpg.ssh.program=ssh-keygen'],
      env: agent === undefined ? {} : { SSH_AUTH_SOCK: agent },
    }
  // Its agent is found by the home, so git gets the person's; what else git would read there is switched off for every call.
  return {
    ...common,
    config: [...config, 'gpg.program=gpg', 'gpg.openpgp.program=gpg'],
    env: home === undefined ? {} : { HOME: home, GNUPGHOME: keyring ?? join(home, '.gnupg') },
  }
}

/** Why a commit could not be signed, with what to do about it; `said`: git's own words, and those of what it called. */
function whyNot({ format, key }: Signing, said: string): string {
  const words = oneLine(said).slice(0, MOST_SAID)
  if (format === 'ssh' && /passphrase|agent|Couldn't (?:load|find)|UNPROTECTED|incorrect/i.test(said))
    return `the key ${key} cannot be used without being asked for its passphrase. Use a key without one that only the server's user can read; or load it into an agent (ssh-add ${key.replace(/\.pub$/, '')}) and start the server with SSH_AUTH_SOCK (${words})`
  if (format === 'openpgp' && /pinentry|passphrase|Inappropriate ioctl|timed out|did not end/i.test(said))
    return `the key ${key} wants a passphrase, and nobody can be asked for it here. Use a key without one, or let gpg-agent keep it for as long as the server runs (${words})`
  if (format === 'openpgp' && /No secret key|not found|unusable/i.test(said))
    return `gpg has no secret key ${key} for the user who runs the server. Import it there (gpg --import), or correct "signing" in config.json (${words})`
  return `a try to sign a commit failed: ${words}`
}
