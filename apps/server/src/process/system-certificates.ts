import { getCACertificates, setDefaultCACertificates } from 'node:tls'

let trusted = false

/**
 * From now on this process trusts every authority that the system trusts, such as a company's own, beside Node's. Called
 * before the first connection with TLS: `--use-system-ca` would do the same for a server that never makes one, which
 * would keep the certificates in memory, too.
 */
export function trustSystemCertificates(): void {
  if (trusted) return
  trusted = true
  setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system')])])
}
