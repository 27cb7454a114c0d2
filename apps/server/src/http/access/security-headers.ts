import type { ServerResponse } from 'node:http'

/**
 * Everything comes from this server, nothing is inline, nobody may frame us. React sets styles through the CSSOM, which
 * `style-src` does not restrict, so style attributes can stay forbidden. Script sinks take trusted types only, and the
 * only policy that may exist is the dashboard's own.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
].join('; ')

/** For text from an agent or a repository that is opened as a document: no origin, no script, loads nothing. */
export const SANDBOX_POLICY = "sandbox; default-src 'none'"

const headers: Record<string, string> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), clipboard-read=()',
  'Cache-Control': 'no-store',
}

export function setSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}
