import { PAGE_HEADER } from '@beadloom/core/api/people/sign-ins-api.ts'

export type Page = { url: string; status: number; text: string; location: string | null }

/**
 * Follows redirects and keeps the cookies of each address, as a browser does. Also keeps the value that an address's
 * fragment gives the dashboard's page, and sends it to the API as that page does. Nothing else of a browser.
 */
export class Browser {
  readonly #jars: Map<string, Map<string, string>>
  readonly #pages: Map<string, string>
  /** Every Set-Cookie header so far. */
  readonly setCookies: string[] = []

  constructor(like?: Browser) {
    this.#jars = new Map([...(like ? like.#jars : [])].map(([origin, jar]) => [origin, new Map(jar)]))
    this.#pages = new Map(like ? like.#pages : [])
  }

  cookie(url: string, name: string): string | undefined {
    return this.#jars.get(new URL(url).origin)?.get(name)
  }

  plant(url: string, name: string, value: string): void {
    this.#jar(url).set(name, value)
  }

  /** Another browser that has only this one's cookies. */
  withCookiesAlone(): Browser {
    const other = new Browser(this)
    other.#pages.clear()
    return other
  }

  /** Sends one request, without following a redirect. */
  async step(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Page> {
    const jar = this.#jar(url)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const page = this.#pages.get(new URL(url).origin)
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { ...(page !== undefined && { [PAGE_HEADER]: page }), ...headers, ...(cookie && { cookie }) },
    })
    for (const line of response.headers.getSetCookie()) {
      this.setCookies.push(line)
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    const location = response.headers.get('location')
    const given = /#page=([\w-]+)/.exec(location ?? '')?.[1]
    if (given !== undefined) this.#pages.set(new URL(location ?? '', url).origin, given)
    return { url, status: response.status, text: await response.text(), location }
  }

  async open(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Page> {
    let page = await this.step(url, headers, method)
    for (let hops = 0; page.location !== null && hops < 20; hops++)
      page = await this.step(new URL(page.location, page.url).href)
    return page
  }

  async json(url: string): Promise<unknown> {
    return JSON.parse((await this.open(url)).text) as unknown
  }

  /** Follows redirects up to one to an address with this path, which is returned and not opened. */
  async upTo(url: string, path: string): Promise<string> {
    let page = await this.step(url)
    for (let hops = 0; page.location !== null && hops < 20; hops++) {
      const next = new URL(page.location, page.url)
      if (next.pathname === path) return next.href
      page = await this.step(next.href)
    }
    throw new Error(`nothing led to ${path}: ${page.status} at ${page.url}`)
  }

  #jar(url: string): Map<string, string> {
    const { origin } = new URL(url)
    const jar = this.#jars.get(origin) ?? new Map<string, string>()
    this.#jars.set(origin, jar)
    return jar
  }
}
