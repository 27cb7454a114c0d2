import { getCACertificates, setDefaultCACertificates } from 'node:tls'

let trusted = false

/**
 * Makes this process trust every authority that the system trusts, such as a company's own, beside Node's. Called
 * before the first connection with TLS: `--use-system-ca` would keep the certificates in memory even in a server that
 * never makes one.
 */
export function trustSystemCertificates(): void {
  if (trusted) return
  trusted = true
  setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system')])])
}
