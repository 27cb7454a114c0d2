// @suite dashboard
import { expect, test } from 'vitest'
import { violationsInBothThemes } from './support/accessibility.ts'
import { onMadeUp, press } from './support/made-up.ts'

/* A person comes back in the morning, on a made-up server. */
const p = '/p/wordcraft'
const HOUR = 3_600_000

onMadeUp('somebody who was away', (stage) => {
  const back = async (path: string, size?: { width: number; height: number }) => {
    const screen = await stage.open(null, size ? { size } : {})
    await screen.context.addInitScript(
      (last) => {
        if (location.protocol === 'about:' || sessionStorage.getItem('before') !== null) return
        sessionStorage.setItem('before', 'yes')
        localStorage.setItem('beadloom.looks.wordcraft', JSON.stringify({ before: null, last, told: false }))
      },
      Date.now() - 14 * HOUR,
    )
    await screen.go(path)
    return screen.page
  }

  test('is told once on the board what happened', async () => {
    const page = await back(p)
    await page.getByText(/^Since your last visit \(/).waitFor()
    await page.getByRole('link', { name: 'What happened' }).click()
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    await page
      .getByRole('link', { name: 'Since your last visit', exact: true })
      .and(page.locator('[aria-current="page"]'))
      .waitFor()
    await page.getByRole('region', { name: 'Merged' }).getByRole('listitem').first().waitFor()
    await page.getByRole('region', { name: 'Needs you' }).waitFor()
    await page.getByRole('button', { name: /Pull request/ }).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await press(page, 'g', 'b')
    await page.locator('[data-bead="wc-e03"]').waitFor()
    expect(await page.getByText(/^Since your last visit \(/).count()).toBe(0)
  })

  test('gives a colleague the same period by the address', async () => {
    const page = await back(p)
    await page.locator('[data-bead="wc-e03"]').waitFor()
    await press(page, 'g', 'l')
    await page.getByRole('link', { name: 'Since yesterday evening' }).click()
    await page.getByText(/^Since .*, 18:00/).waitFor()
    expect(Number(new URL(page.url()).searchParams.get('since'))).toBeGreaterThan(0)
  })

  test('reads it on a phone; a newcomer is told about the last day', async () => {
    const page = await back(`${p}/activity`, { width: 390, height: 844 })
    await page.getByRole('region', { name: 'Merged' }).getByRole('listitem').first().waitFor()
    const fresh = await stage.open(`${p}/activity`)
    await fresh.page.getByRole('link', { name: '24 hours' }).and(fresh.page.locator('[aria-current="page"]')).waitFor()
  })
})
