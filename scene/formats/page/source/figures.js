// @ts-check
/** Lengths and counts as the window writes them: scene/measuring/lengths.py. */

const DIGITS = 6, LEAST_DIGITS = 3, MOST_DECIMALS = 12, GREATEST = 1e15;

/** @param {number} value */
const power = (value) => Math.floor(Math.log10(Math.abs(value)));

/**
 * Return a function that writes lengths of a scene, all to the same step.
 * @param {number} size  the longest side of the scene's box, or 0
 * @param {number | null} [fixed]  how many decimals; null: as many as the size asks for
 * @returns {(value: number) => string}
 */
export function lengthsOf(size, fixed = null) {
  return (value) => {
    if (fixed !== null && Math.abs(value) < GREATEST) return (Number(value.toFixed(fixed)) + 0).toFixed(fixed);
    if (!Number.isFinite(value) || value === 0) return String(value + 0);
    const step = power(size > 0 && size < Infinity ? size : Math.abs(value)) - DIGITS + 1;
    if (Math.abs(value) < 0.5 * 10 ** step) return '0';
    const decimals = Math.max(0, -Math.min(step, power(value) - LEAST_DIGITS + 1));
    if (decimals > MOST_DECIMALS || Math.abs(value) >= GREATEST) return String(Number(value.toPrecision(DIGITS))).replace(/e([+-])(\d)$/, 'e$10$2');
    const text = value.toFixed(decimals);
    return decimals ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
  };
}

/**
 * Write a count with its noun.
 * @param {number} number
 * @param {string} noun  of one
 */
export const counted = (number, noun) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
