import { describe, expect, it } from '@jest/globals';
import { ENDS_WITH_CONNECTION } from '../support/servers/ends-with-connection.ts';

const closedChannel = () => {
  throw new Error('Channel has been shut down');
};

describe('a call of a test that is retried after its connection was closed', () => {
  it('ends a retried call as cancelled after its connection was closed', () => {
    const [, beginCall] = ENDS_WITH_CONNECTION.configureConnection?.({})?.interceptors ?? [];
    const ended: unknown[] = [];
    const call = beginCall?.({} as never, closedChannel);
    call?.start({} as never, { onReceiveStatus: ({ code, details }) => ended.push([code, details]) });
    expect(ended).toEqual([[1, 'the connection was closed']]);
  });
});
