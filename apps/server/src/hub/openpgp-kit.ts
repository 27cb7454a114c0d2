import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The system's own GnuPG; without it, its tests are left out. */
export const hasGpg = spawnSync('gpg', ['--version']).status === 0
if (!hasGpg) console.warn('SKIPPED: tests that sign with OpenPGP. apt-get install gpg gpg-agent')

/** A person's home with a keyring, and an agent of its own that ends with it. */
export class Keyring {
  readonly home = mkdtempSync(join(tmpdir(), 'bl-gpg-')) // short: an agent's socket is below it
  readonly folder = join(this.home, '.gnupg')
  readonly env = { PATH: process.env['PATH'], HOME: this.home }

  constructor() {
    mkdirSync(this.folder, { mode: 0o700 })
    // Otherwise the agent spends up to a minute on measuring how costly it can make a guess at a passphrase.
    writeFileSync(join(this.folder, 'gpg-agent.conf'), 's2k-count 65536\n')
  }

  /** Makes a key and returns its fingerprint. `expires`: as gpg knows it, `never` or `seconds=1`. */
  addKey(name: string, { passphrase = '', expires = 'never' } = {}): string {
    const address = `${name}@example.org`
    this.#gpg(...ask(passphrase), '--quick-gen-key', `${name} <${address}>`, 'ed25519', 'sign', expires)
    return /^fpr:+([0-9A-F]+):/m.exec(this.#gpg('--with-colons', '--list-keys', address))?.[1] ?? ''
  }

  /** Gives the agent the passphrase, as if a person had typed it. */
  unlock(key: string, passphrase: string): void {
    this.#gpg(...ask(passphrase), '--local-user', key, '--output', '/dev/null', '--sign', '/dev/null')
  }

  /** Makes the agent forget everything. */
  forget(): void {
    execFileSync('gpgconf', ['--homedir', this.folder, '--kill', 'gpg-agent'])
  }

  /** A keyring whose keys only check signatures. */
  empty(): void {
    this.forget()
    rmSync(join(this.folder, 'private-keys-v1.d'), { recursive: true })
  }

  remove(): void {
    this.forget()
    rmSync(this.home, { recursive: true, force: true })
  }

  #gpg(...args: string[]): string {
    return execFileSync('gpg', ['--homedir', this.folder, '--batch', '--yes', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }
}

const ask = (passphrase: string): string[] => ['--pinentry-mode', 'loopback', '--passphrase', passphrase]
