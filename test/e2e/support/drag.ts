import type { Locator, Page } from 'playwright-core'

const middleOf = async (place: Locator): Promise<{ x: number; y: number }> => {
  const box = await place.boundingBox()
  if (box === null) throw new Error('it cannot be seen')
  // If a column is scrolled away to the left: the window's left edge.
  return { x: Math.max(4, box.x + box.width / 2), y: box.y + Math.min(box.height / 2, 200) }
}

/** Picks up a card as a mouse does: pressed, and moved a little. */
export async function take(page: Page, card: Locator): Promise<void> {
  await card.scrollIntoViewIfNeeded()
  const { x, y } = await middleOf(card)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 5, y + 5)
  await page.mouse.move(x + 12, y + 12)
  await page.locator('[data-ghost]').waitFor()
}

export async function holdOver(page: Page, place: Locator): Promise<void> {
  const { x, y } = await middleOf(place)
  await page.mouse.move(x, y, { steps: 4 })
}

export async function dragTo(page: Page, card: Locator, place: Locator): Promise<void> {
  await take(page, card)
  await holdOver(page, place)
  await page.mouse.up()
}

/**
 * Drags with a finger, by the browser's own events: rests on a card until it is taken, moves to a place, and lets go.
 */
export async function dragByFinger(page: Page, card: Locator, place: () => Locator): Promise<void> {
  const touch = await page.context().newCDPSession(page)
  const at = async (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) => {
    await touch.send('Input.dispatchTouchEvent', { type, touchPoints: points })
  }
  const from = await middleOf(card)
  await at('touchStart', [from])
  await page.locator('[data-ghost]').waitFor()
  const to = await middleOf(place())
  for (const part of [0.25, 0.5, 0.75, 1])
    await at('touchMove', [{ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }])
  await at('touchEnd', [])
  await touch.detach()
}

/** A target below the board, shown while a card is dragged. */
export const shelf = (page: Page, at: string): Locator => page.locator(`[data-drop="${at}"]`)
