import { endsAsWithoutOutages } from '../../support/fixtures/outages.ts';

endsAsWithoutOutages('a cycle that is collected from a card');
