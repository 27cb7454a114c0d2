import { once } from 'node:events'
import { join } from 'node:path'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import type { Signing } from '../../process/settings/signing-settings.ts'
import { startProcess } from '../../process/start-process.ts'
import type { GitCall } from './git-call.ts'
import { keepEnds } from './stderr-ends.ts'

/** Nobody is there to type a passphrase; an agent that has the key answers at once. */
export const SIGN_TIMEOUT_MS = 30_000
const MOST_SAID = 300
const NO_GPG = 'gpg was not found'
const NO_ANSWER = 'gpg did not answer'

/**
 * The signing of a commit by a call of git: `args` come after the command's name. `whyNot` turns git's words about a
 * failure into what to do.
 */
export type Signer = Required<Pick<GitCall, 'args' | 'config' | 'env'>> & { whyNot: (said: string) => Promise<string> }

/**
 * Names the key in this call alone, on the command line, so that no file of a repository can change it. The programs
 * come from the server's own search path.
 */
export function signerOf(signing: Signing, person: Readonly<Record<string, string | undefined>>): Signer {
  const { format, key } = signing
  const { PATH: searchPath, HOME: home, GNUPGHOME: keyring, SSH_AUTH_SOCK: agent } = person
  const args = ['--gpg-sign']
  const config = [`gpg.format=${format}`, `user.signingKey=${key}`]
  if (format === 'ssh')
    return {
      args,
      config: [...config, 'gpg.ssh.program=ssh-keygen'],
      env: agent === undefined ? {} : { SSH_AUTH_SOCK: agent },
      whyNot: async (said) => whyNoSsh(key, said),
    }
  // Git gets the person's home, to find the key's agent; whatever else git would read there is switched off.
  const env = {
    ...(home !== undefined && { HOME: home, GNUPGHOME: join(home, '.gnupg') }),
    ...(keyring !== undefined && { GNUPGHOME: keyring }),
  }
  const whyNot = async (said: string) => {
    const words = await wordsOfGpg(key, { ...env, PATH: searchPath ?? '', LC_ALL: 'C' })
    return whyNoOpenpgp(key, words === '' ? said : words)
  }
  return { args, config: [...config, 'gpg.program=gpg', 'gpg.openpgp.program=gpg'], env, whyNot }
}

/** Git before 2.41 hides gpg's words, so gpg is asked once more. Empty: it signs now, or says nothing. */
async function wordsOfGpg(key: string, env: Record<string, string>): Promise<string> {
  const args = ['--batch', '--no-tty', '--pinentry-mode', 'error', '--detach-sign', '--armor', '--local-user', key]
  try {
    const gpg = startProcess('gpg', args, { env, timeout: SIGN_TIMEOUT_MS, killSignal: 'SIGKILL' })
    const said = keepEnds(gpg.stderr)
    gpg.stdout.resume()
    gpg.stdin.on('error', () => {}).end('a try')
    const [code, signal] = (await once(gpg, 'close')) as [number | null, string | null]
    return code === 0 ? '' : signal === null ? said() : NO_ANSWER
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? NO_GPG : ''
  }
}

/* Why a commit could not be signed, and what to do; `said`: the words of git, or of the program that it called. */

function whyNoSsh(key: string, said: string): string {
  if (/passphrase|agent|Couldn't (?:load|find)|UNPROTECTED|incorrect/i.test(said))
    return `the key ${key} cannot be used without being asked for its passphrase. Use a key without one that only the server's user can read; or load it into an agent (ssh-add ${key.replace(/\.pub$/, '')}) and start the server with SSH_AUTH_SOCK (${wordsOf(said)})`
  return otherwise(said)
}

function whyNoOpenpgp(key: string, said: string): string {
  if (said === NO_GPG) return `${NO_GPG}: install it (Debian: apt-get install gpg gpg-agent), or sign with an ssh key`
  if (said === NO_ANSWER || /pinentry|passphrase|Inappropriate ioctl|timed out|did not end/i.test(said))
    return `the key ${key} wants a passphrase, and nobody can be asked for it here. Use a key without one, or let gpg-agent keep it for as long as the server runs (${wordsOf(said)})`
  if (/No secret key/i.test(said))
    return `gpg has no secret key ${key} for the user who runs the server. Import it there (gpg --import), or correct "signing" in config.json (${wordsOf(said)})`
  if (/Unusable|expired|revoked|disabled/i.test(said))
    return `the key ${key} cannot sign any more, or was never made for it: it has expired (gpg --list-keys ${key} says when; gpg --quick-set-expire gives it more time), was revoked, or only encrypts (${wordsOf(said)})`
  return otherwise(said)
}

const wordsOf = (said: string): string => oneLine(said).slice(0, MOST_SAID)
const otherwise = (said: string): string => `a try to sign a commit failed: ${wordsOf(said)}`
