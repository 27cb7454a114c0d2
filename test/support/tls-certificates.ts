import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Files that an engine and its users need for TLS, made by openssl: each folder has ca.pem, cert.pem and key.pem. */
export class TlsCertificates {
  readonly #folder = mkdtempSync(join(tmpdir(), 'bl-tls-'))
  readonly server: string
  readonly client: string
  /** The files of a stranger: this engine and the stranger do not know each other. */
  readonly stranger: string

  constructor() {
    this.#authority('ours')
    this.#authority('theirs')
    this.server = this.#certificate('server', 'ours', 'subjectAltName=IP:127.0.0.1,DNS:localhost')
    this.client = this.#certificate('client', 'ours', 'extendedKeyUsage=clientAuth')
    this.stranger = this.#certificate('stranger', 'theirs', 'extendedKeyUsage=clientAuth')
  }

  #authority(name: string): void {
    const key = this.#at(`${name}-key.pem`)
    this.#openssl(
      `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${name} -keyout ${key} -out ${this.#at(`${name}.pem`)}`,
    )
  }

  #certificate(name: string, authority: string, extension: string): string {
    const folder = this.#at(name)
    execFileSync('mkdir', [folder])
    const [key, request, extensions] = [join(folder, 'key.pem'), this.#at(`${name}.csr`), this.#at(`${name}.ext`)]
    writeFileSync(extensions, `${extension}\n`)
    this.#openssl(`req -newkey rsa:2048 -nodes -subj /CN=${name} -keyout ${key} -out ${request}`)
    const signing = `-CA ${this.#at(`${authority}.pem`)} -CAkey ${this.#at(`${authority}-key.pem`)} -CAcreateserial`
    this.#openssl(`x509 -req -days 2 -in ${request} ${signing} -extfile ${extensions} -out ${join(folder, 'cert.pem')}`)
    execFileSync('cp', [this.#at(`${authority}.pem`), join(folder, 'ca.pem')])
    return folder
  }

  #at(name: string): string {
    return join(this.#folder, name)
  }

  #openssl(args: string): void {
    execFileSync('openssl', args.split(' '), { stdio: 'ignore' })
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
