import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Seals small values: a browser can keep them, but neither read nor change them. */
export class Sealer {
  readonly #key: Buffer

  constructor(secret: string, purpose: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  }

  seal(value: unknown): string {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv)
    const body = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
  }

  /** Null if it was not sealed here, or was changed. */
  open(text: string): unknown {
    const bytes = Buffer.from(text, 'base64url')
    if (bytes.length < 29 || bytes.length > 4096) return null
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, 12)).setAuthTag(
        bytes.subarray(12, 28),
      )
      return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString()) as unknown
    } catch {
      return null
    }
  }
}
