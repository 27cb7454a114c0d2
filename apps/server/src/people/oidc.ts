import * as client from 'openid-client'
import { SignInError, type SignedIn, type SignInProvider } from '../ports/sign-in.ts'
import type { OidcSettings } from '../process/settings/people-settings.ts'

/** The most seconds by which the clocks of provider and server may differ. */
const CLOCK_TOLERANCE_S = 60
/** The limit in seconds for one answer of the provider. */
const TIMEOUT_S = 10
/** After this the provider's configuration is fetched again: its endpoints and key addresses may move. */
const KNOWN_FOR_MS = 3_600_000
const MOST_GROUPS = 500

export type OidcDeps = {
  settings: OidcSettings
  /** Null for a public client. */
  secret: string | null
  /** The address to which the provider sends people after signing in, and after signing out. */
  redirectUri: string
  signedOutUri: string
  now: () => number
}

/**
 * Signs in by authorization code with PKCE, state and nonce. Checks the signature of each ID token against the
 * provider's keys, which are fetched again for a key that is not known yet.
 */
export function createOidc({ settings, secret, redirectUri, signedOutUri, now }: OidcDeps): SignInProvider {
  const { issuer, clientId, scopes, nameClaim, groupsClaim } = settings
  let known: { config: Promise<client.Configuration>; at: number } | null = null

  function configuration(): Promise<client.Configuration> {
    if (known !== null && now() - known.at < KNOWN_FOR_MS) return known.config
    const before = known?.config
    const config = discover()
    known = { config, at: now() }
    config.catch(() => {
      // The next sign-in tries again; until then the old configuration is better than none.
      known = before ? { config: before, at: now() - KNOWN_FOR_MS + 60_000 } : null
    })
    return before === undefined ? config : config.catch(() => before)
  }

  const discover = () =>
    client.discovery(
      new URL(issuer),
      clientId,
      { [client.clockTolerance]: CLOCK_TOLERANCE_S, ...(secret !== null && { client_secret: secret }) },
      secret === null ? client.None() : client.ClientSecretBasic(secret),
      {
        timeout: TIMEOUT_S,
        execute: [
          client.enableNonRepudiationChecks,
          // The settings allow plain http only for loopback.
          ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
        ],
      },
    )

  async function finish(callback: URL, { state, nonce, verifier }: Parameters<SignInProvider['finish']>[1]) {
    const config = await configuration()
    const tokens = await client.authorizationCodeGrant(config, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (claims === undefined) throw new SignInError('refused', 'The provider sent no ID token.')
    const asked: Record<string, unknown> = { ...claims }
    const lacks = asked[nameClaim ?? 'email'] === undefined || asked[groupsClaim] === undefined
    if (lacks && config.serverMetadata().userinfo_endpoint !== undefined)
      Object.assign(asked, await client.fetchUserInfo(config, tokens.access_token, claims.sub), { sub: claims.sub })
    return signedIn(claims.sub, asked)
  }

  function signedIn(subject: string, claims: Readonly<Record<string, unknown>>): SignedIn {
    const name = nameClaim === null ? stableName(subject, claims) : claims[nameClaim]
    if (typeof name !== 'string' || name.trim() === '')
      throw new SignInError(
        'refused',
        `The provider did not say your name: its answer has no "${nameClaim}". An admin can choose another claim with people.oidc.nameClaim.`,
      )
    const groups = claims[groupsClaim]
    const list = Array.isArray(groups) ? groups : typeof groups === 'string' ? [groups] : []
    return { subject, name, groups: list.filter((one) => typeof one === 'string').slice(0, MOST_GROUPS) }
  }

  return {
    begin: () =>
      translated(async () => {
        const config = await configuration()
        const checks = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier(),
        }
        const url = client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: scopes.join(' '),
          response_type: 'code',
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: 'S256',
        })
        return { url: url.href, checks }
      }),
    finish: (callback, checks) => translated(() => finish(callback, checks)),
    endUrl: () =>
      translated(async () => {
        const config = await configuration()
        if (config.serverMetadata().end_session_endpoint === undefined) return null
        return client.buildEndSessionUrl(config, { post_logout_redirect_uri: signedOutUri }).href
      }),
  }
}

/**
 * The name of a person, who may choose all other names at the provider: the address that the provider has verified,
 * else the subject, which is unique and never changes.
 */
const stableName = (subject: string, { email, email_verified: verified }: Readonly<Record<string, unknown>>): string =>
  typeof email === 'string' && email.trim() !== '' && (verified === true || verified === 'true') ? email : subject

/** Turns errors into our own words. Repeats nothing of the provider's: it may have come with the browser. */
async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SignInError) throw error
    if (error instanceof client.AuthorizationResponseError)
      throw new SignInError('refused', 'The provider did not sign you in.', error)
    const isAway =
      error instanceof TypeError ||
      (error instanceof Error && /TIMEOUT|timed out/i.test(`${error.name} ${error.message}`))
    if (isAway)
      throw new SignInError('away', 'The provider that signs you in cannot be reached. Try again in a moment.', error)
    throw new SignInError(
      'refused',
      'The answer of the provider was not accepted: it was too old, or not made for this sign-in.',
      error,
    )
  }
}
