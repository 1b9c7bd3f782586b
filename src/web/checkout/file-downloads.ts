import { Tally } from '../../domain/tally.ts';
import { DownloadRate } from './download-rate.ts';

/** Each holds a connection of a payer and one to a merchant's server, up to hours for large files on slow networks. */
const MOST = 256;
/** The most of one store's environment. The files of dev mode cost their buyers nothing. */
const MOST_OF_ENVIRONMENT = 64;
/** The most of one payment, so that one buyer leaves room for the others. */
const MOST_OF_CHARGE = 3;
/** While fewer than this are free, only environments with few downloads get them. */
const RESERVED = 64;
const FEW = 4;

/** About 70 kbit/s, which the slowest mobile networks reach. */
const LEAST_BYTES_PER_MINUTE = 512 * 1024;
/** About 1 Mbit/s while more than half of the places are taken: nobody holds them for days then. */
const LEAST_BYTES_PER_MINUTE_CROWDED = 8 * 1024 ** 2;

interface Sold {
  readonly id: string;
  readonly storeId: string;
  readonly devMode: boolean;
}

/** A download that runs. */
export interface Download {
  /** Waits until more bytes may be sent. */
  sending(bytes: number): Promise<void>;
  /** What has to pass in a minute at this moment. */
  leastBytesPerMinute(): number;
  /** To be called once, when it has ended. */
  end(): void;
}

/** The downloads that run in this process: how many of each payment and store, and how fast. */
export class FileDownloads {
  readonly #ofEnvironments = new Tally<string>();
  readonly #ofCharges = new Tally<string>();
  readonly #rate = new DownloadRate();
  #count = 0;

  /** @returns null if too many run now. */
  begin({ id, storeId, devMode }: Sold): Download | null {
    const environment = `${storeId} ${devMode}`;
    const own = this.#ofEnvironments.of(environment);
    const most = own < FEW ? MOST : MOST - RESERVED;
    if (own >= MOST_OF_ENVIRONMENT || this.#count >= most || this.#ofCharges.of(id) >= MOST_OF_CHARGE)
      return null;
    this.#ofEnvironments.add(environment);
    this.#ofCharges.add(id);
    this.#count += 1;
    return {
      sending: (bytes) => this.#rate.sending(environment, bytes),
      leastBytesPerMinute: () =>
        this.#count > MOST / 2 ? LEAST_BYTES_PER_MINUTE_CROWDED : LEAST_BYTES_PER_MINUTE,
      end: () => {
        this.#ofEnvironments.remove(environment);
        if (this.#ofEnvironments.of(environment) === 0) this.#rate.forget(environment);
        this.#ofCharges.remove(id);
        this.#count -= 1;
      },
    };
  }
}
