import { createContext } from 'react'

/** The server's time for the lines of cards, from their board: a card that comes and goes does not follow it by itself. */
export const CardClock = createContext(0)
