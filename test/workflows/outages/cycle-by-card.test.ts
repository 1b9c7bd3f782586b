import { endsAsWithoutOutages } from '../../support/lives/outages.ts';

endsAsWithoutOutages('a cycle that is collected from a card');
